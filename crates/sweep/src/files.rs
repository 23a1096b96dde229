//! Files of measured times that a plan's scenarios name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use retrylab_model::{Latencies, Measured, Source, Unreadable};

/// Files of measured times, each of which is read once.
#[derive(Debug)]
pub(crate) struct Files {
    /// Where those are that the scenario names.
    beside_scenario: PathBuf,
    /// Where those are that an axis names.
    beside_plan: PathBuf,
    read: Mutex<HashMap<String, Arc<Latencies>>>,
}

impl Files {
    pub(crate) fn new(beside_scenario: &Path, beside_plan: &Path) -> Self {
        Self {
            beside_scenario: beside_scenario.to_owned(),
            beside_plan: beside_plan.to_owned(),
            read: Mutex::default(),
        }
    }

    /// What the file holds.
    pub(crate) fn latencies(
        &self,
        measured: &Measured,
        source: Source,
    ) -> Result<Arc<Latencies>, Unreadable> {
        let directory = match source {
            Source::Text => &self.beside_scenario,
            Source::Setting => &self.beside_plan,
        };
        let name = format!("{} {measured:?}", directory.display());
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(latencies) = read.get(&name) {
            return Ok(Arc::clone(latencies));
        }
        let latencies = Arc::new(retrylab_latencies::read(measured, directory)?);
        read.insert(name, Arc::clone(&latencies));
        Ok(latencies)
    }
}
