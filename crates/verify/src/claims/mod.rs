//! The claims of the documents, one module per document.

mod lesson;
pub(crate) mod three_attempts;

use crate::claim::Claim;

/// Every claim, in the order of documents and ids.
#[must_use]
pub fn all() -> Vec<Claim> {
    let mut claims = lesson::claims();
    claims.extend(three_attempts::claims());
    claims
}
