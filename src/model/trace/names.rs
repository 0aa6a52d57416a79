//! Names as numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A name of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym(pub u32);

/// All names of a trace, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    texts: Vec<Arc<str>>,
    numbers: BTreeMap<Arc<str>, Sym>,
}

impl Names {
    /// The number of a name; a new one for a new name.
    pub fn intern(&mut self, text: &str) -> Sym {
        if let Some(&sym) = self.numbers.get(text) {
            return sym;
        }
        // Readers limit their input to 256 MiB, so there are fewer than 2^32 names.
        let sym = Sym(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, sym);
        sym
    }

    /// The number of a name that occurs.
    pub fn find(&self, text: &str) -> Option<Sym> {
        self.numbers.get(text).copied()
    }

    /// The name; `?` for a number that no name has.
    pub fn text(&self, sym: Sym) -> &str {
        self.texts.get(sym.0 as usize).map_or("?", |text| text)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}
