//! Settings: single values put on top of a scenario, as `--set key=value` gives them.

use std::fmt;
use std::str::FromStr;

use crate::node::{Content, Entry, Node, Origin};
use crate::text_error::TextError;
use crate::wording::quotation;

/// A value for one key of a scenario.
///
/// The key is a path of keys and array indices joined by points, such as `client.timeout` or `schedule.0.at`; missing
/// tables on the way are made. The value is a TOML value, or a string where it is none, so that units need no quotes.
/// An empty value takes the key away, so that its default applies.
///
/// ```
/// use retrylab_model::Setting;
/// let setting: Setting = "client.timeout=120ms".parse()?;
/// assert_eq!((setting.key(), setting.value()), ("client.timeout", "120ms"));
/// assert!("client.timeout".parse::<Setting>().is_err());
/// # Ok::<(), retrylab_model::TextError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    key: String,
    value: String,
    /// The flag that stands for the key, where one does.
    flag: Option<&'static str>,
}

impl Setting {
    /// The setting of `key` to `value`.
    ///
    /// # Errors
    /// [`TextError`] when the key is not a path of names joined by points.
    pub fn new(key: &str, value: &str) -> Result<Self, TextError> {
        let key = key.trim();
        if key.split('.').all(is_segment) {
            Ok(Self {
                key: key.to_owned(),
                value: value.trim().to_owned(),
                flag: None,
            })
        } else {
            Err(TextError::new(format!(
                "\"{}\" is not a key; write names joined by points, such as client.timeout",
                quotation(key)
            )))
        }
    }

    /// The same setting, given by a flag of its own: `timeout` for `--timeout 1s`.
    #[must_use]
    pub fn of_flag(self, flag: &'static str) -> Self {
        Self {
            flag: Some(flag),
            ..self
        }
    }

    /// What was written on the command line.
    ///
    /// ```
    /// use retrylab_model::Setting;
    /// let setting: Setting = "client.timeout=1s".parse()?;
    /// assert_eq!(setting.on_command_line(), "--set client.timeout=1s");
    /// assert_eq!(setting.of_flag("timeout").on_command_line(), "--timeout 1s");
    /// # Ok::<(), retrylab_model::TextError>(())
    /// ```
    #[must_use]
    pub fn on_command_line(&self) -> String {
        match self.flag {
            Some(flag) => format!("--{flag} {}", quotation(&self.value)),
            None => format!("--set {self}"),
        }
    }

    /// The path of the key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The value as written.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Puts the value into a document. `index` is the setting's own among all that are applied.
    pub(crate) fn apply(&self, root: &mut Node, index: usize) -> Result<(), TextError> {
        let value = if self.value.is_empty() {
            Node {
                content: Content::Absent,
                origin: Origin::Setting(index),
            }
        } else {
            Node::from_setting(&self.value, index).map_err(|error| error.in_setting(self))?
        };
        let mut node = root;
        for segment in self.key.split('.') {
            node = child(node, segment, index).map_err(|error| error.in_setting(self))?;
        }
        *node = value;
        Ok(())
    }
}

fn is_segment(segment: &str) -> bool {
    !segment.is_empty()
        && segment
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// The node called `segment` in `node`, made if it is not there yet.
fn child<'n>(node: &'n mut Node, segment: &str, setting: usize) -> Result<&'n mut Node, TextError> {
    let index: Option<usize> = segment.parse().ok();
    // A scalar gives way: "none" becomes the table of another kind. Whether a table is accepted there, decoding says.
    if !matches!(node.content, Content::Table(_) | Content::Array(_)) {
        node.origin = Origin::Setting(setting);
        node.content = match index {
            Some(_) => Content::Array(Vec::new()),
            None => Content::Table(Vec::new()),
        };
    }
    let new = || Node {
        content: Content::Absent,
        origin: Origin::Setting(setting),
    };
    match &mut node.content {
        Content::Array(items) => {
            let count = items.len();
            match index {
                Some(index) if index <= count => {
                    if index == count {
                        items.push(new());
                    }
                    Ok(&mut items[index])
                }
                _ => Err(TextError::new(format!(
                    "\"{}\" is not an entry of the array; expected {}",
                    quotation(segment),
                    if count == 0 {
                        "0, to make the first".to_owned()
                    } else {
                        format!("an index up to {}, or {count} to add one", count - 1)
                    }
                ))),
            }
        }
        Content::Table(entries) => {
            let position = entries
                .iter()
                .position(|entry| entry.key == segment)
                .unwrap_or_else(|| {
                    entries.push(Entry {
                        key: segment.to_owned(),
                        key_origin: Origin::Setting(setting),
                        node: new(),
                    });
                    entries.len() - 1
                });
            Ok(&mut entries[position].node)
        }
        _ => unreachable!("scalars were replaced above"),
    }
}

impl FromStr for Setting {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        match text.split_once('=') {
            Some((key, value)) => Self::new(key, value),
            None => Err(TextError::new(format!(
                "\"{}\" is not a setting; write key=value, such as client.timeout=50",
                quotation(text)
            ))),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", quotation(&self.key), quotation(&self.value))
    }
}
