//! Standard output: text or one JSON object, complete or failed with a sentence.

use std::io::{ErrorKind, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Writes a text to standard output.
///
/// A reader that has seen enough, such as `head`, closes the pipe: that is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::new(format!(
            "standard output cannot be written: {error}"
        ))),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes a value to standard output as one JSON object.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    match serde_json::to_string_pretty(value) {
        Ok(text) => print(&format!("{text}\n")),
        Err(error) => Err(Failure::new(format!("the result has no JSON form: {error}"))),
    }
}
