//! Which attempt of whom.

/// What becomes of the attempts of a request, where that is settled when it is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Each attempt by a draw of its own.
    Open = 0,
    /// Every answer is good.
    Good = 1,
    /// Every answer is an error.
    Error = 2,
}

/// Bits of an owner; those above hold the fate.
const OWNER_BITS: u32 = 30;

/// Whose attempt it is and which. As small as can be, since so many wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attempt {
    /// The owner, and what becomes of the request.
    pub(super) origin: u32,
    /// 1 for the first attempt, and one more than that of the failed one for a retry.
    pub(super) ordinal: u16,
}

impl Attempt {
    /// The first attempt of a request.
    #[inline]
    pub(super) fn first(owner: u32, fate: Fate) -> Self {
        Self {
            origin: owner | (fate as u32) << OWNER_BITS,
            ordinal: 1,
        }
    }

    /// The attempt after this one.
    #[inline]
    pub(super) fn next(self) -> Self {
        Self {
            ordinal: self.ordinal.saturating_add(1),
            ..self
        }
    }

    /// The client instance or, where requests go by numbers, that of the request.
    #[inline]
    pub(super) fn owner(self) -> u32 {
        self.origin & ((1 << OWNER_BITS) - 1)
    }

    /// Whether the answer is an error, which it would be or not by a draw of its own.
    #[inline]
    pub(super) fn errs(self, drawn: bool) -> bool {
        match self.origin >> OWNER_BITS {
            0 => drawn,
            fate => fate == Fate::Error as u32,
        }
    }

    /// In one number.
    #[inline]
    pub(super) fn to_tag(self) -> u64 {
        u64::from(self.origin) << 16 | u64::from(self.ordinal)
    }

    #[inline]
    pub(super) fn from_tag(tag: u64) -> Self {
        Self {
            origin: (tag >> 16) as u32,
            ordinal: (tag & 0xFFFF) as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_comes_out() {
        for owner in [0, 1, 999_999, (1 << OWNER_BITS) - 1] {
            for (fate, errs) in [
                (Fate::Open, [false, true]),
                (Fate::Good, [false, false]),
                (Fate::Error, [true, true]),
            ] {
                let attempt = Attempt::first(owner, fate).next();
                let again = Attempt::from_tag(attempt.to_tag());
                assert_eq!((again, again.owner(), again.ordinal), (attempt, owner, 2));
                assert_eq!([false, true].map(|drawn| again.errs(drawn)), errs);
            }
        }
    }
}
