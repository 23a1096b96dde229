//! Parts of a grid for several machines.

use std::fmt;
use std::str::FromStr;

/// Most parts of a grid.
const SHARDS_MAX: u64 = 100_000;

/// One of several parts of a grid: every so many-th point, so that parts cost alike.
///
/// ```
/// use retrylab_sweep::Shard;
///
/// let shard: Shard = "2/3".parse()?;
/// assert_eq!(shard.points(7).collect::<Vec<u64>>(), [1, 4]);
/// assert_eq!(Shard::WHOLE.points(3).collect::<Vec<u64>>(), [0, 1, 2]);
/// assert!("4/3".parse::<Shard>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub(crate) part: u64,
    pub(crate) parts: u64,
}

impl Shard {
    /// The whole grid.
    pub const WHOLE: Self = Self { part: 1, parts: 1 };

    /// Whether it is the whole grid.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self == Self::WHOLE
    }

    /// Which part it is, from 1, and of how many.
    #[must_use]
    pub fn part_of(self) -> (u64, u64) {
        (self.part, self.parts)
    }

    /// Its points among so many, in order.
    pub fn points(self, points: u64) -> impl Iterator<Item = u64> {
        (self.part - 1..points).step_by(usize::try_from(self.parts).unwrap_or(usize::MAX))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, parts)| Some((part.parse::<u64>().ok()?, parts.parse::<u64>().ok()?)));
        match numbers {
            Some((part, parts)) if (1..=parts).contains(&part) && parts <= SHARDS_MAX => {
                Ok(Self { part, parts })
            }
            _ => Err(format!(
                "it must be a part and their number, such as 1/4, of at most {SHARDS_MAX}"
            )),
        }
    }
}
