//! What a call answers when it does not do what it was asked (runtime-model section 3).

use std::fmt;

use crate::diag::Code;

/// What kind of answer a code is; what mode `spec` promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// An argument makes no sense.
    InvalidArgument,
    /// Not on this machine, or not like this.
    Unsupported,
    /// No memory, or no room.
    NoMemory,
    /// Somebody else holds it.
    Busy,
    /// Not allowed.
    Permission,
    /// There is no such thing.
    NotFound,
    /// Anything else.
    Internal,
}

macro_rules! statuses {
    ($($name:ident $number:literal $class:ident)*) => {
        /// A code of the HAL, of the pools or of ACL, with its number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "the names of the interface")]
        pub enum Status { $($name,)* }

        impl Status {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The number that the call returns.
            pub fn number(self) -> u32 {
                match self { $(Self::$name => $number,)* }
            }

            /// The name as the trace language writes it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// What kind of answer it is.
            pub fn class(self) -> Class {
                match self { $(Self::$name => Class::$class,)* }
            }
        }
    };
}

statuses! {
    NoDevice 1 NotFound
    InvalidDevice 2 InvalidArgument
    InvalidValue 3 InvalidArgument
    InvalidHandle 4 InvalidArgument
    OutOfMemory 6 NoMemory
    Inner 7 Internal
    ParaError 8 InvalidArgument
    Uninit 9 Internal
    RepeatedInit 10 Busy
    NotExist 11 NotFound
    RepeatedUserd 12 Busy
    Busy 13 Busy
    NoResources 14 NoMemory
    WaitTimeout 16 Internal
    IoctlFail 17 Internal
    OverLimit 37 InvalidArgument
    FileOps 38 Internal
    ProcessExit 42 NotFound
    OperNotPermitted 46 Permission
    TryAgain 51 Busy
    NoProcess 62 NotFound
    BadAddress 79 InvalidArgument
    NotSupport 0xfffe Unsupported
    PoolNull 0x0720_0000 InvalidArgument
    PoolOpInvalid 0x0720_0001 InvalidArgument
    PoolPropInvalid 0x0720_0002 InvalidArgument
    PoolUnsupported 0x0720_0003 Unsupported
    PoolPtrNotFound 0x0720_0004 NotFound
    PoolDoubleRegistered 0x0720_0005 Busy
    PoolAlloc 0x0720_0006 NoMemory
    StreamNull 107_003 InvalidArgument
    StreamContext 107_004 InvalidArgument
    AclParamInvalid 107_000 InvalidArgument
    FeatureNotSupport 207_000 Unsupported
    MemoryAllocation 207_001 NoMemory
}

/// An errno of the kernel, as the user library reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of the interface")]
pub enum Errno {
    Einval,
    Enomem,
    Eacces,
    Eaddrinuse,
    Eaddrnotavail,
    Eio,
    Eexist,
    Etimedout,
    Eagain,
    Esrch,
    Efault,
    Ebusy,
    Eperm,
    Eopnotsupp,
    Enodev,
    Enxio,
    E2big,
}

impl Errno {
    /// The HAL's code for it (the table of section 3).
    pub fn status(self) -> Status {
        match self {
            Self::Einval => Status::ParaError,
            Self::Enomem => Status::OutOfMemory,
            Self::Eacces | Self::Eaddrinuse | Self::Eaddrnotavail | Self::Eio => Status::IoctlFail,
            Self::Eexist => Status::FileOps,
            Self::Etimedout => Status::WaitTimeout,
            Self::Eagain => Status::TryAgain,
            Self::Esrch => Status::ProcessExit,
            Self::Efault => Status::InvalidHandle,
            Self::Ebusy => Status::Busy,
            Self::Eperm => Status::OperNotPermitted,
            Self::Eopnotsupp => Status::NotSupport,
            Self::Enodev | Self::Enxio => Status::NoDevice,
            Self::E2big => Status::OverLimit,
        }
    }
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 7] = [
        Self::InvalidArgument,
        Self::Unsupported,
        Self::NoMemory,
        Self::Busy,
        Self::Permission,
        Self::NotFound,
        Self::Internal,
    ];

    /// The name as the trace language writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidArgument => "invalid_argument",
            Self::Unsupported => "unsupported",
            Self::NoMemory => "no_memory",
            Self::Busy => "busy",
            Self::Permission => "permission",
            Self::NotFound => "not_found",
            Self::Internal => "internal",
        }
    }
}

/// A call that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What it returns.
    pub status: Status,
    /// The finding that the refusal stands for, where it is more than a bad argument.
    pub finding: Option<Code>,
    /// Why, a lower-case fragment.
    pub why: String,
}

impl Refused {
    /// A refusal.
    pub fn new(status: Status, why: impl Into<String>) -> Self {
        Self { status, finding: None, why: why.into() }
    }

    /// A refusal that is a finding of its own.
    #[must_use]
    pub fn finding(mut self, code: Code) -> Self {
        self.finding = Some(code);
        self
    }
}

impl From<Errno> for Refused {
    fn from(errno: Errno) -> Self {
        Self::new(errno.status(), format!("{errno:?}").to_uppercase())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.status.name(), self.status.number(), self.why)
    }
}

/// Something that a part of the machine noticed while it did what it was asked; the judge says
/// how bad it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its class.
    pub code: Code,
    /// One sentence with the numbers, lower case, without the name of the call.
    pub message: String,
}

/// What a part of the machine is told about the call, and where it leaves its remarks.
#[derive(Debug, Default)]
pub struct Notes {
    /// In the order noticed.
    pub remarks: Vec<Remark>,
    /// Quirks of section 7 whose two modes differ in this call.
    pub quirks: Vec<super::quirks::Quirk>,
    /// Ticks that the call takes.
    pub ticks: u64,
}

impl Notes {
    /// Leaves a remark.
    pub fn remark(&mut self, code: Code, message: impl Into<String>) {
        self.remarks.push(Remark { code, message: message.into() });
    }

    /// Notes that the answer or effect of this call depends on the mode.
    pub fn quirk(&mut self, quirk: super::quirks::Quirk) {
        if !self.quirks.contains(&quirk) {
            self.quirks.push(quirk);
        }
    }
}
