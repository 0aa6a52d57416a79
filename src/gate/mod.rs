//! What a team holds its kernels to: budgets and baselines.
