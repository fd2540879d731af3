"""From the best order to a PAG or CPDAG: candidates, the legal step, separating sets."""
