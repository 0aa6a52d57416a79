mod names;
mod opening;
mod registering;
mod stories;
