//! A directory of files that are written together: all of them or none.

use std::io::Write;
use std::path::{Path, PathBuf};

use retrylab_model::wording::quotation;

use crate::failure::Failure;
use crate::output_file::OutputFile;

/// A directory that can be written to, or made.
#[derive(Debug)]
pub(crate) struct OutputDirectory {
    path: PathBuf,
}

impl OutputDirectory {
    /// Refuses now what could not be written after a long run. Nothing is made yet.
    pub(crate) fn check(path: &Path) -> Result<Self, Failure> {
        let shown = quotation(&path.display().to_string());
        if path.as_os_str().is_empty() {
            return Err(Failure::new("the directory for the results has no name"));
        }
        let Some(existing) = path.ancestors().find(|ancestor| ancestor.exists()) else {
            // A relative path of which nothing exists yet is made in the working directory.
            return writable(Path::new("."), &shown, path);
        };
        if !existing.is_dir() {
            let what = if existing == path {
                "it".to_owned()
            } else {
                quotation(&existing.display().to_string())
            };
            return Err(Failure::new(format!(
                "nothing can be written to {shown}: {what} is not a directory"
            )));
        }
        writable(existing, &shown, path)
    }

    /// Writes files, named relative to the directory: first all of them under temporary names, then each under its own.
    pub(crate) fn write<'f>(&self, files: impl Iterator<Item = (&'f str, &'f [u8])>) -> Result<(), Failure> {
        let mut complete = Vec::new();
        for (name, contents) in files {
            let path = self.path.join(name);
            let failed = |error: std::io::Error| {
                Failure::new(format!(
                    "{} cannot be written: {error}",
                    quotation(&path.display().to_string())
                ))
            };
            if let Some(directory) = path.parent() {
                std::fs::create_dir_all(directory).map_err(failed)?;
            }
            let mut file = OutputFile::create(&path)?;
            file.write_all(contents)
                .and_then(|()| file.flush())
                .map_err(failed)?;
            complete.push(file);
        }
        complete.into_iter().try_for_each(OutputFile::finish)
    }

    /// The directory's name for people.
    pub(crate) fn shown(&self) -> String {
        quotation(&self.path.display().to_string())
    }
}

/// Tries to make a file in `directory`, where the first thing would have to be made.
fn writable(directory: &Path, shown: &str, path: &Path) -> Result<OutputDirectory, Failure> {
    let directory = if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    };
    match tempfile::tempfile_in(directory) {
        Ok(_) => Ok(OutputDirectory {
            path: path.to_owned(),
        }),
        Err(error) => Err(Failure::new(format!(
            "nothing can be written to {shown}: {error}"
        ))),
    }
}
