//! Reading a TOML file that somebody named.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use retrylab_model::wording::quotation;

use crate::failure::Failure;

/// Largest file that is read. What is described in one needs a few hundred bytes; what is larger is something else.
const FILE_SIZE_MAX: u64 = 1 << 20;

/// The text of the file called `name`, which is to be `what`, such as `a scenario`; `missing` says that there is no such file.
pub(crate) fn read(name: &str, what: &str, missing: &dyn Fn() -> Failure) -> Result<String, Failure> {
    let shown = quotation(name);
    let failed = |error: std::io::Error| Failure::new(format!("{shown} cannot be read: {error}"));
    let path = Path::new(name);
    // Looked at before it is opened: opening a pipe would wait for a writer.
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(missing()),
        Err(error) => return Err(failed(error)),
    };
    if metadata.is_dir() {
        return Err(Failure::new(format!(
            "{shown} is a directory, but {what} is a TOML file"
        )));
    }
    if !metadata.is_file() {
        return Err(Failure::new(format!(
            "{shown} is not a regular file, but {what} is a TOML file"
        )));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(FILE_SIZE_MAX + 1).read_to_end(&mut bytes))
        .map_err(failed)?;
    if bytes.len() as u64 > FILE_SIZE_MAX {
        return Err(Failure::new(format!(
            "{shown} is larger than {} MiB, which {what} never is",
            FILE_SIZE_MAX >> 20
        )));
    }
    String::from_utf8(bytes).map_err(|error| {
        let position = error.utf8_error().valid_up_to();
        Failure::new(format!(
            "{shown} is not a text in UTF-8 (from byte {position} on), but {what} is a TOML file"
        ))
    })
}
