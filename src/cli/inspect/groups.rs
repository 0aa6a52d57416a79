//! Buffers that must lie on the same bytes.

use super::scene::Scene;
use crate::format::json_inspect::Together;
use crate::model::{BufferId, Relation, RelationKind};

/// The rows of the report.
pub(super) fn together(scene: Scene<'_>) -> Vec<Together> {
    let row = |(members, relations): (&Vec<BufferId>, &Vec<&Relation>)| {
        let handover = |r: &&&Relation| r.kind == RelationKind::Handover;
        let taken = relations.iter().filter(handover).count();
        let first = relations.iter().find(|r| r.why.is_some() || r.loc.is_some());
        Together {
            buffers: members.iter().map(|id| id.0).collect(),
            rule: match taken {
                0 => "colocate",
                n if n == relations.len() => "handover",
                _ => "mixed",
            },
            why: first.map(|r| {
                let why = r.why.as_deref().unwrap_or("asked for");
                format!("{why}{}", scene.line(r.loc))
            }),
        }
    };
    let groups = scene.reasons.together();
    groups.members.iter().zip(&groups.relations).map(row).collect()
}
