"""What every room stands on: the compile policy, budgets and stop reasons, errors, BLAS threads."""
