//! The display JSON of the compiler's memory planner (HIVM spec 6.5).

use serde::{Deserialize, Serialize};

/// One function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemoryInfo {
    /// What it is about.
    #[serde(rename = "Header")]
    pub header: Header,
    /// One for each scope.
    #[serde(rename = "Record")]
    pub record: Vec<Record>,
}

/// What a file is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The function.
    #[serde(rename = "KernelName")]
    pub kernel_name: String,
}

/// One scope.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// `ub`, `cbuf`, `cc`.
    pub scope: String,
    /// `success` or `fail`.
    pub status: String,
    /// The message of a failure.
    #[serde(default)]
    pub error_info: String,
    /// The buffers.
    #[serde(default)]
    pub memory_info_array: Vec<Buffer>,
}

/// One buffer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Buffer {
    /// The printed value: `%alloc = memref.alloc() : ..`.
    pub buffer: String,
    /// Byte offsets, one a slot.
    pub offset: Vec<u64>,
    /// Bits of a slot, rounded up to 8.
    #[serde(default)]
    pub extent: u64,
    /// The step of the alloc.
    #[serde(default)]
    pub alloc_time_in_ir: i64,
    /// First and last step, both inclusive.
    #[serde(default)]
    pub life_time_in_ir: Vec<i64>,
    /// Where the alloc is written.
    #[serde(default)]
    pub source_location: String,
    /// True for a temporary of one op.
    #[serde(default)]
    pub is_tmpbuf: bool,
}

/// What is written: one function, or a list of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Written {
    /// One function, as the compiler writes it.
    One(MemoryInfo),
    /// Several.
    Several(Vec<MemoryInfo>),
}

impl Buffer {
    /// The name of the value, without `%`.
    pub fn name(&self) -> &str {
        let text = self.buffer.trim();
        let text = text.strip_prefix('%').unwrap_or(text);
        text.split([' ', '=', ':', '(']).next().unwrap_or(text)
    }
}

/// Reads a file.
///
/// # Errors
/// What is wrong with the JSON, with line and column.
pub fn read(text: &str) -> Result<Vec<MemoryInfo>, String> {
    // The untagged reading loses the place of an error, so the shape is chosen first.
    let list = text.trim_start().starts_with('[');
    let parsed = if list {
        serde_json::from_str::<Vec<MemoryInfo>>(text)
    } else {
        serde_json::from_str::<MemoryInfo>(text).map(|one| vec![one])
    };
    parsed.map_err(|error| error.to_string())
}

/// Writes a file: one object for one function, else a list.
pub fn write(functions: Vec<MemoryInfo>) -> String {
    let file = match <[MemoryInfo; 1]>::try_from(functions) {
        Ok([one]) => Written::One(one),
        Err(several) => Written::Several(several),
    };
    let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
    text.push('\n');
    text
}
