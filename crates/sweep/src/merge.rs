//! Parts of a grid that were computed apart, joined to the whole.

use std::path::Path;

use crate::error::{SweepError, shown};
use crate::reading::Results;
use crate::results::Heading;
use crate::shard::Shard;
use crate::store::{check_place, write_whole};

/// Joins all parts of a grid to the file that one process would have written, bit for bit.
///
/// # Errors
/// [`SweepError::Results`] when `out` is there already or cannot be written, and when the parts are of different plans, are
/// unfinished, overlap or are not all there. `out` is written whole or not at all.
pub fn merge(out: &Path, parts: &[Results]) -> Result<Heading, SweepError> {
    let refuse = |sentence: String| Err(SweepError::Results(sentence));
    check_place(out)?;
    if out.exists() {
        return refuse(format!(
            "{} is there already; choose a new file for the whole",
            shown(out)
        ));
    }
    let Some(first) = parts.first() else {
        return refuse("there are no parts to merge".to_owned());
    };
    let (_, count) = first.heading().shard.part_of();
    let mut sources: Vec<Option<&Results>> = vec![None; usize::try_from(count).unwrap_or(usize::MAX)];
    for part in parts {
        let (number, of) = part.heading().shard.part_of();
        if part.heading().checksum != first.heading().checksum {
            return refuse(format!(
                "{} and {} are of different plans",
                shown(first.path()),
                shown(part.path())
            ));
        }
        if of != count {
            return refuse(format!(
                "{} is the part {number}/{of}, but {} is one of {count} parts",
                shown(part.path()),
                shown(first.path())
            ));
        }
        if !part.is_finished() {
            let expected = part.heading().shard.points(part.heading().points).count();
            return refuse(format!(
                "{} is not finished: {} of its {expected} points are there; run its sweep again",
                shown(part.path()),
                part.points().len()
            ));
        }
        // The part is at least 1 and at most their number, as every shard.
        let source = &mut sources[(number - 1) as usize];
        if let Some(other) = source {
            return refuse(format!(
                "{} and {} are both the part {number}/{count}",
                shown(other.path()),
                shown(part.path())
            ));
        }
        *source = Some(part);
    }
    let missing: Vec<String> = sources
        .iter()
        .zip(1u64..)
        .filter(|(source, _)| source.is_none())
        .map(|(_, number)| format!("{number}/{count}"))
        .collect();
    if let [first, rest @ ..] = missing.as_slice() {
        return refuse(if rest.is_empty() {
            format!("the part {first} is missing")
        } else {
            format!("{} parts are missing, the first of them {first}", missing.len())
        });
    }
    let heading = Heading {
        shard: Shard::WHOLE,
        ..first.heading().clone()
    };
    let directory = match out.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let unwritable =
        |error: std::io::Error| SweepError::Results(format!("{} cannot be written: {error}", shown(out)));
    let temporary = temporary_file(directory).map_err(unwritable)?.into_temp_path();
    write_whole(&temporary, &heading, 0..heading.points, |point| {
        match sources[(point % count) as usize] {
            Some(source) => source.point(point),
            None => unreachable!("every part is there"),
        }
    })?;
    temporary
        .persist_noclobber(out)
        .map_err(|error| unwritable(error.error))?;
    Ok(heading)
}

/// A temporary file with the permissions that a new file would have.
fn temporary_file(directory: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".retrylab-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}
