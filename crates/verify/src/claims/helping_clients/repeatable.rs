//! The same settings and seed give the same run: H07.

use super::reading::{ending, retrying};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::quote::{Quote, Runs};

pub(super) fn claim() -> Claim {
    Claim::new(
        "H07",
        Document::HelpingClients,
        "Settings and seed determine a run, which comes out the same wherever it is made.",
    )
    .remark(
        "Of the text's simulation we cannot tell; of ours it is so, bit for bit. Time is counted in whole ticks, random numbers \
         come from streams of their own for each purpose and replication, events at the same tick have a fixed order, \
         elementary functions come from a portable library, and results are collected in the order of replications, \
         whatever the number of threads. Pinned values in the test suite hold it from machine to machine and version to \
         version.",
    )
    .part(
        Part::new("share of pairs of runs with identical records")
            .quoted(Quote::runs("the same run", Runs::NearlyAll))
            .measured(
                Experiment::side_by_side(
                    vec![ending(&retrying(1.6), 1.2); 2],
                    "whether two runs under one seed have identical records",
                    |runs| f64::from(u8::from(runs[0] == runs[1])),
                )
                .within(0.0, 1.0),
            ),
    )
}
