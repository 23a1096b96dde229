//! Finding a scenario: a file, or one that comes with the program.

use std::path::Path;

use retrylab_model::wording::{closest, quotation};
use retrylab_model::{Scenario, Setting, builtin};

use crate::failure::Failure;
use crate::text_file;

/// The scenario called `name`, or in the file of that name, with settings put on top. Files that it names are looked for beside it,
/// those that a setting names in the working directory.
pub(crate) fn load(name: &str, settings: &[Setting]) -> Result<Scenario, Failure> {
    let text = match builtin::find(name) {
        Some(builtin) => builtin.text.to_owned(),
        None => text_file::read(name, "a scenario", &|| missing(name))?,
    };
    let directory = Path::new(name).parent().unwrap_or(Path::new(""));
    retrylab_latencies::load(&text, settings, directory)
        .map_err(|error| Failure::in_text(&error, name, &text))
}

/// The values of `--set`.
pub(crate) fn settings(texts: &[String]) -> Result<Vec<Setting>, Failure> {
    let parse = |text: &String| {
        text.parse()
            .map_err(|error| Failure::new(format!("--set: {error}")))
    };
    texts.iter().map(parse).collect()
}

/// Whether `path` leads to the file of the scenario called `name`, if only by another name or a link.
pub(crate) fn is_file_of(name: &str, path: &Path) -> bool {
    if builtin::find(name).is_some() {
        return false;
    }
    let scenario = Path::new(name);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if let (Ok(scenario), Ok(other)) = (scenario.metadata(), path.metadata()) {
            return (scenario.dev(), scenario.ino()) == (other.dev(), other.ino());
        }
    }
    match (scenario.canonicalize(), path.canonicalize()) {
        (Ok(scenario), Ok(other)) => scenario == other,
        _ => false,
    }
}

fn missing(name: &str) -> Failure {
    let names = builtin::ALL.iter().map(|builtin| builtin.name);
    let hint = closest(name, names).map_or_else(
        || "\"retrylab scenarios\" lists the built-in ones".to_owned(),
        |near| format!("did you mean {near}?"),
    );
    Failure::new(format!(
        "there is neither a file nor a built-in scenario called {}; {hint}",
        quotation(name)
    ))
}
