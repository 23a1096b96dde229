//! Reading a file that is made for the purpose.

use retrylab_latencies::read;
use retrylab_model::{Latencies, Measured, Unreadable};

/// What a file with these bytes and a name says, with options; sentences without its folder.
pub(crate) fn read_file(
    name: &str,
    bytes: &[u8],
    options: impl FnOnce(&mut Measured),
) -> Result<Latencies, Unreadable> {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(name), bytes).unwrap();
    let mut measured = Measured::in_file(name);
    options(&mut measured);
    read(&measured, directory.path()).map_err(|error| Unreadable {
        sentence: error
            .sentence
            .replace(&format!("{}/", directory.path().display()), ""),
        ..error
    })
}
