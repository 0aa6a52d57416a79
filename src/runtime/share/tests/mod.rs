mod names;
mod opening;
mod registering;
