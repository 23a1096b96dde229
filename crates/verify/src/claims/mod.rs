//! The claims of the documents, one module per document.

mod beyond;
pub(crate) mod helping_clients;
pub(crate) mod lesson;
pub(crate) mod retry_storms;
pub(crate) mod stop_retrying;
pub(crate) mod three_attempts;

use crate::claim::Claim;

/// Every claim, of the documents and beyond them, in the order of documents and ids.
#[must_use]
pub fn all() -> Vec<Claim> {
    let mut claims = lesson::claims();
    claims.extend(three_attempts::claims());
    claims.extend(helping_clients::claims());
    claims.extend(retry_storms::claims());
    claims.extend(stop_retrying::claims());
    claims.extend(beyond::claims());
    claims
}
