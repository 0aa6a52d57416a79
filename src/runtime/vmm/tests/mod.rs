mod accessing;
mod handles;
mod mapping;
mod reserving;
mod sharing;
