//! memplan plans memory ahead of time for accelerator kernels and graphs.
