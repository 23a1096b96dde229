//! Files that are written whole or not at all.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use retrylab_model::wording::quotation;
use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::interrupt;

/// A file that appears under its name only when it is complete.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    writer: BufWriter<NamedTempFile>,
}

impl OutputFile {
    /// Begins a file beside `path`, which is refused now if it could not be completed later.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        // A link keeps pointing at the file that is written.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let shown = quotation(&path.display().to_string());
        if let Ok(metadata) = path.metadata()
            && !metadata.is_file()
        {
            return Err(Failure::new(format!(
                "{shown} is there and is not a regular file"
            )));
        }
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        if path.file_name().is_none() || !directory.is_dir() {
            return Err(Failure::new(format!(
                "{shown} cannot be written: there is no directory {}",
                quotation(&directory.display().to_string())
            )));
        }
        let file = temporary_file(directory)
            .map_err(|error| Failure::new(format!("{shown} cannot be written: {}", plain(error))))?;
        interrupt::remove_at_end(file.path());
        Ok(Self {
            path,
            writer: BufWriter::new(file),
        })
    }

    /// Gives the complete file its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let shown = quotation(&self.path.display().to_string());
        let failed =
            |error: std::io::Error| Failure::new(format!("{shown} cannot be written: {}", plain(error)));
        let file = self
            .writer
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        file.persist(&self.path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// A temporary file with the permissions that a new file would have.
fn temporary_file(directory: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".retrylab-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}

/// The error without the name of the temporary file, which means nothing to the user.
fn plain(error: std::io::Error) -> std::io::Error {
    match error.get_ref() {
        Some(_) => error.kind().into(),
        None => error,
    }
}

impl Write for OutputFile {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        self.writer.write(buffer).map_err(plain)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush().map_err(plain)
    }
}
