//! `memplan.toml`, `MEMPLAN_*`, `--config` and the cache, as a user meets them.

#[path = "config/cache.rs"]
mod cache;
#[path = "config/docs.rs"]
mod docs;
#[path = "config/files.rs"]
mod files;
#[path = "config/layers.rs"]
mod layers;
#[path = "config/tree.rs"]
mod tree;

#[path = "cli/tool.rs"]
#[expect(dead_code, reason = "sessions with standard input are elsewhere")]
mod tool;
