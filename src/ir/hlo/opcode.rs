//! The opcodes that a rule names.

use std::fmt;

macro_rules! opcodes {
    ($($variant:ident $text:literal)*) => {
        /// What an instruction does. Those without a rule of their own are `Other`: they compute new
        /// values from their operands.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the table gives the word")]
        pub enum Opcode { $($variant,)* Other(Box<str>) }

        impl Opcode {
            /// The opcode of that word.
            pub fn of(word: &str) -> Self {
                match word { $($text => Self::$variant,)* _ => Self::Other(word.into()) }
            }

            /// The word.
            pub fn name(&self) -> &str {
                match self { $(Self::$variant => $text,)* Self::Other(word) => word }
            }
        }
    };
}

opcodes! {
    Abs "abs" Add "add" AddDependency "add-dependency" AfterAll "after-all" AllGather "all-gather"
    AllGatherDone "all-gather-done" AllGatherStart "all-gather-start" AllReduce "all-reduce"
    AllReduceDone "all-reduce-done" AllReduceStart "all-reduce-start" AllToAll "all-to-all" And "and"
    AsyncDone "async-done" AsyncStart "async-start" AsyncUpdate "async-update" Atan2 "atan2"
    BatchNormGrad "batch-norm-grad" BatchNormInference "batch-norm-inference"
    BatchNormTraining "batch-norm-training" Bitcast "bitcast" BitcastConvert "bitcast-convert"
    Broadcast "broadcast" Call "call" Cbrt "cbrt" Ceil "ceil" Cholesky "cholesky" Clamp "clamp"
    Clz "count-leading-zeros" CollectiveBroadcast "collective-broadcast"
    CollectivePermute "collective-permute" CollectivePermuteDone "collective-permute-done"
    CollectivePermuteStart "collective-permute-start" Compare "compare" Complex "complex"
    Concatenate "concatenate" Conditional "conditional" Constant "constant" Convert "convert"
    Convolution "convolution" Copy "copy" CopyDone "copy-done" CopyStart "copy-start" Cosine "cosine"
    CustomCall "custom-call" Divide "divide" Domain "domain" Dot "dot" DynamicReshape "dynamic-reshape"
    DynamicSlice "dynamic-slice" DynamicUpdateSlice "dynamic-update-slice" Erf "erf"
    Exponential "exponential" ExponentialMinusOne "exponential-minus-one" Fft "fft" Floor "floor"
    Fusion "fusion" Gather "gather" GetDimensionSize "get-dimension-size"
    GetTupleElement "get-tuple-element" Imag "imag" Infeed "infeed" Iota "iota" IsFinite "is-finite"
    Log "log" LogPlusOne "log-plus-one" Logistic "logistic" Map "map" Maximum "maximum"
    Minimum "minimum" Multiply "multiply" Negate "negate" Not "not" OptBarrier "opt-barrier" Or "or"
    Outfeed "outfeed" Pad "pad" Parameter "parameter" PartitionId "partition-id"
    PopulationCount "popcnt" Power "power" RaggedAllToAll "ragged-all-to-all" Real "real" Recv "recv"
    RecvDone "recv-done" Reduce "reduce" ReducePrecision "reduce-precision"
    ReduceScatter "reduce-scatter" ReduceWindow "reduce-window" Remainder "remainder"
    ReplicaId "replica-id" Reshape "reshape" Reverse "reverse" Rng "rng"
    RngBitGenerator "rng-bit-generator" RngGetAndUpdateState "rng-get-and-update-state"
    RoundNearestAfz "round-nearest-afz" RoundNearestEven "round-nearest-even" Rsqrt "rsqrt"
    Scan "scan" Scatter "scatter" Select "select" SelectAndScatter "select-and-scatter" Send "send"
    SendDone "send-done" SetDimensionSize "set-dimension-size" ShiftLeft "shift-left"
    ShiftRightArithmetic "shift-right-arithmetic" ShiftRightLogical "shift-right-logical" Sign "sign"
    Sine "sine" Slice "slice" Sort "sort" Sqrt "sqrt" StochasticConvert "stochastic-convert"
    Subtract "subtract" Tan "tan" Tanh "tanh" TopK "topk" Transpose "transpose"
    TriangularSolve "triangular-solve" Tuple "tuple" While "while" Xor "xor"
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
