//! Tokens.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The end of what may be read.
    End,
    /// `memref.alloc`, `loc`: letters, digits, `_`, `$`, `.`.
    Word,
    /// `%name`, `%name#1`.
    Value,
    /// `^bb1`.
    Block,
    /// `@name`, `@"name"`.
    Symbol,
    /// `#alias`, `#dialect.name`.
    Hash,
    /// `!alias`, `!dialect.name`.
    Bang,
    /// `12`, `0x1F`.
    Int,
    /// `1.5e-3`.
    Float,
    /// `"text"`.
    Str,
    LParen,
    RParen,
    LBrace,
    RBrace,
    LSquare,
    RSquare,
    Less,
    Greater,
    Arrow,
    Colon,
    ColonColon,
    Comma,
    Equal,
    Minus,
    /// `?`, `*`, `+`, `>=`, a lone `#`, ..
    Other,
    /// A character or string that MLIR does not have.
    Bad,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// First byte in the text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// For an opening bracket the index of the token that closes it, else [`NONE`].
    pub link: u32,
    /// What it is.
    pub kind: Kind,
    /// True when it is the first of its line.
    pub first: bool,
}

/// No token.
pub(super) const NONE: u32 = u32::MAX;

impl Token {
    /// The token that closes this bracket.
    pub(super) fn close(&self) -> Option<usize> {
        (self.link != NONE).then_some(self.link as usize)
    }
}

impl Kind {
    /// What to call it in a message.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::End => "the end of the statement",
            Self::Word => "a word",
            Self::Value => "a value (`%name`)",
            Self::Block => "a block (`^name`)",
            Self::Symbol => "a symbol (`@name`)",
            Self::Hash => "an attribute",
            Self::Bang => "a type",
            Self::Int | Self::Float => "a number",
            Self::Str => "a string",
            Self::LParen => "`(`",
            Self::RParen => "`)`",
            Self::LBrace => "`{`",
            Self::RBrace => "`}`",
            Self::LSquare => "`[`",
            Self::RSquare => "`]`",
            Self::Less => "`<`",
            Self::Greater => "`>`",
            Self::Arrow => "`->`",
            Self::Colon => "`:`",
            Self::ColonColon => "`::`",
            Self::Comma => "`,`",
            Self::Equal => "`=`",
            Self::Minus => "`-`",
            Self::Other => "punctuation",
            Self::Bad => "a character that MLIR does not have",
        }
    }
}
