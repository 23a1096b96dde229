//! A file of measured times as a text, or why it is none.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use retrylab_model::Unreadable;
use retrylab_model::wording::quotation;
use sha2::{Digest, Sha256};

use crate::unreadable;

/// Largest file that is read.
pub const FILE_SIZE_MAX: u64 = 256 << 20;
/// Longest line. A histogram at full precision takes a few hundred thousand characters.
const LINE_LENGTH_MAX: usize = 4 << 20;
/// Hexadecimal digits of a checksum.
const CHECKSUM_LENGTH: usize = 64;

/// The text of a file, and the checksum of its bytes.
#[derive(Debug)]
pub(crate) struct FileText {
    pub(crate) text: String,
    pub(crate) sha256: String,
}

/// Reads the file at `path`, which messages call `shown`.
pub(crate) fn read(path: &Path, shown: &str) -> Result<FileText, Unreadable> {
    let failed = |error: std::io::Error| unreadable(format!("{shown} cannot be read: {error}"));
    // Looked at before it is opened: opening a pipe would wait for a writer.
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(unreadable(format!("there is no file {shown} of measured times")));
        }
        Err(error) => return Err(failed(error)),
    };
    if metadata.is_dir() {
        return Err(unreadable(format!(
            "{shown} is a directory, but measured times are in a file"
        )));
    }
    if !metadata.is_file() {
        return Err(unreadable(format!(
            "{shown} is not a regular file, but measured times are in one"
        )));
    }
    let mut bytes = Vec::new();
    if metadata.len() <= FILE_SIZE_MAX {
        File::open(path)
            .and_then(|file| file.take(FILE_SIZE_MAX + 1).read_to_end(&mut bytes))
            .map_err(failed)?;
    }
    // A file may grow while it is read.
    if metadata.len().max(bytes.len() as u64) > FILE_SIZE_MAX {
        return Err(unreadable(format!(
            "{shown} is larger than {} MiB; cut out the column of times, draw a sample of them, or record them in an \
             HdrHistogram log",
            FILE_SIZE_MAX >> 20
        )));
    }
    let sha256 = hexadecimal(&Sha256::digest(&bytes));
    let text = text_of(bytes).map_err(|reason| unreadable(format!("{shown}{reason}")))?;
    Ok(FileText { text, sha256 })
}

/// The bytes as a text without byte order mark, or what follows the name of a file that is none.
fn text_of(bytes: Vec<u8>) -> Result<String, String> {
    let line_of = |position: usize| bytes[..position].iter().filter(|&&byte| byte == b'\n').count() + 1;
    if let Some(position) = bytes.iter().position(|&byte| byte == 0) {
        return Err(format!(
            " is not a text: it has a zero byte in line {}; measured times are a table or an HdrHistogram log",
            line_of(position)
        ));
    }
    let mut lines = bytes.split(|&byte| byte == b'\n');
    if let Some(index) = lines.position(|line| line.len() > LINE_LENGTH_MAX) {
        return Err(format!(
            ", line {} is longer than {} MiB; a table has a line for each measured time",
            index + 1,
            LINE_LENGTH_MAX >> 20
        ));
    }
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
            return Err(format!(
                " is not a text in UTF-8, from line {line} on; measured times are a table or an HdrHistogram log"
            ));
        }
    };
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    bytes
        .iter()
        .flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]])
        .collect()
}

/// Whether the file is the one that was asked for, if a checksum says which.
pub(crate) fn check_sum(found: &str, asked: Option<&str>, shown: &str) -> Result<(), Unreadable> {
    let Some(asked) = asked else {
        return Ok(());
    };
    let refuse = |sentence| {
        Err(Unreadable {
            key: "sha256",
            sentence,
        })
    };
    if asked.len() != CHECKSUM_LENGTH || !asked.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return refuse(format!(
            "\"{}\" is not a SHA-256 checksum, which has {CHECKSUM_LENGTH} hexadecimal digits; that of {shown} is {found}",
            quotation(asked)
        ));
    }
    if asked.eq_ignore_ascii_case(found) {
        return Ok(());
    }
    refuse(format!(
        "{shown} is not the file that was meant, or it has changed: its SHA-256 checksum is {found} and not {asked}"
    ))
}
