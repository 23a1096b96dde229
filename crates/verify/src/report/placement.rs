//! Which figure stands beside which claim.

use crate::figure::Illustration;
use crate::outcome::ClaimOutcome;

/// The claims and figures of a document in the order in which a report shows them.
pub(super) struct Placed<'a> {
    /// Figures that illustrate none of the claims.
    pub(super) first: Vec<&'a Illustration>,
    /// Each claim with the figures that stand before it: those of which it is the first that they illustrate.
    pub(super) beside: Vec<(&'a ClaimOutcome, Vec<&'a Illustration>)>,
}

impl<'a> Placed<'a> {
    /// Places each figure once.
    pub(super) fn new(claims: &[&'a ClaimOutcome], figures: &[&'a Illustration]) -> Self {
        let place = |figure: &Illustration| claims.iter().position(|claim| figure.claims.contains(&claim.id));
        let at = |position: Option<usize>| {
            figures
                .iter()
                .copied()
                .filter(|figure| place(figure) == position)
                .collect()
        };
        Self {
            first: at(None),
            beside: claims
                .iter()
                .enumerate()
                .map(|(index, claim)| (*claim, at(Some(index))))
                .collect(),
        }
    }
}
