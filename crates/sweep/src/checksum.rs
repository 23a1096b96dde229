//! A checksum of everything that a plan's results depend on.

use std::fmt::Write as _;

use retrylab_verify::measures::Effort;
use sha2::{Digest, Sha256};

use crate::plan::Plan;

/// Goes up with every change of what results files hold.
pub(crate) const FORMAT: u32 = 1;

/// A checksum in the making.
pub(crate) struct Checksum(Sha256);

impl Checksum {
    /// Begins with the settings of a plan and the program's version; the points follow.
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut checksum = Self(Sha256::new());
        checksum.add(&format!(
            "retrylab {} results {FORMAT}",
            env!("CARGO_PKG_VERSION")
        ));
        checksum.add(&plan.name);
        checksum.add(&effort_text(plan.effort));
        checksum.add(&format!("confidence {} seed {}", plan.confidence, plan.seed));
        checksum.add(&format!("{:?}", plan.measures));
        for axis in &plan.axes {
            checksum.add(&format!("{} {}", axis.name, axis.logarithmic));
            for value in axis.positions.iter().flatten() {
                checksum.add(value.setting.key());
                checksum.add(value.setting.value());
            }
        }
        checksum
    }

    /// Adds a text, with its length, so that no two sequences of texts are alike.
    pub(crate) fn add(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
    }

    /// The checksum in hexadecimal digits.
    pub(crate) fn finish(self) -> String {
        let mut digits = String::new();
        for byte in self.0.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
        }
        digits
    }

    /// The checksum of one text.
    pub(crate) fn of(text: &str) -> [u8; 32] {
        Sha256::digest(text.as_bytes()).into()
    }
}

/// How much is simulated of each point, in words.
pub(crate) fn effort_text(effort: Option<Effort>) -> String {
    match effort {
        Some(Effort::Replications(replications)) => format!("{replications} replications"),
        Some(Effort::Precision(precision)) => format!("precision {precision}"),
        None => "replications of the scenario".to_owned(),
    }
}
