//! Finding a scenario: a file, or one that comes with the program.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use retrylab_model::wording::{closest, quotation};
use retrylab_model::{Scenario, Setting, builtin};

use crate::failure::Failure;

/// Largest scenario file that is read. The language needs a few hundred bytes; what is larger is something else.
const FILE_SIZE_MAX: u64 = 1 << 20;

/// The scenario called `name`, or in the file of that name, with settings put on top.
pub(crate) fn load(name: &str, settings: &[Setting]) -> Result<Scenario, Failure> {
    let text = match builtin::find(name) {
        Some(builtin) => builtin.text.to_owned(),
        None => read(name)?,
    };
    Scenario::from_toml_with(&text, settings).map_err(|error| Failure::scenario(&error, name, &text))
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

fn read(name: &str) -> Result<String, Failure> {
    let shown = quotation(name);
    let failed = |error: std::io::Error| Failure::new(format!("{shown} cannot be read: {error}"));
    let path = Path::new(name);
    // Looked at before it is opened: opening a pipe would wait for a writer.
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(missing(name)),
        Err(error) => return Err(failed(error)),
    };
    if metadata.is_dir() {
        return Err(Failure::new(format!(
            "{shown} is a directory, but a scenario is a TOML file"
        )));
    }
    if !metadata.is_file() {
        return Err(Failure::new(format!(
            "{shown} is not a regular file, but a scenario is a TOML file"
        )));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(FILE_SIZE_MAX + 1).read_to_end(&mut bytes))
        .map_err(failed)?;
    if bytes.len() as u64 > FILE_SIZE_MAX {
        return Err(Failure::new(format!(
            "{shown} is larger than {} MiB, which no scenario file is",
            FILE_SIZE_MAX >> 20
        )));
    }
    String::from_utf8(bytes).map_err(|error| {
        let position = error.utf8_error().valid_up_to();
        Failure::new(format!(
            "{shown} is not a text in UTF-8 (from byte {position} on), but a scenario is a TOML file"
        ))
    })
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
