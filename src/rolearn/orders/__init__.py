"""The cost of an order or a window of it; where to start; the searches, none of which imports another."""
