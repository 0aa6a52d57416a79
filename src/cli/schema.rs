//! JSON Schemas, made from the types themselves.

use schemars::generate::SchemaSettings;
use schemars::schema_for;

use super::args::{Schema, SchemaArgs};
use super::defect;
use super::exit::Exit;
use super::streams::Streams;
use crate::diag::Sources;
use crate::format::budget::BudgetFile;
use crate::format::config::ConfigFile;
use crate::format::json::Report;
use crate::format::machine::MachineFile;
use crate::format::plan::PlanFile;
use crate::format::spec::Spec;
use crate::format::trace::TraceFile;

/// `memplan schema`.
pub(super) fn run(args: &SchemaArgs, streams: &mut Streams) -> Exit {
    let schema = match args.of {
        Schema::Spec => schema_for!(Spec),
        Schema::Plan => schema_for!(PlanFile),
        Schema::Trace => schema_for!(TraceFile),
        Schema::Machine => schema_for!(MachineFile),
        Schema::Config => schema_for!(ConfigFile),
        Schema::Budget => schema_for!(BudgetFile),
        // What is written: keys that may be left out are not required.
        Schema::Report => SchemaSettings::default()
            .for_serialize()
            .into_generator()
            .into_root_schema_for::<Report>(),
    };
    match serde_json::to_string_pretty(&schema) {
        Ok(text) => {
            streams.answer(&format!("{text}\n"));
            Exit::Yes
        }
        Err(error) => {
            streams.diagnostic(&defect::bug(&error.to_string()), &Sources::default());
            Exit::Broken
        }
    }
}
