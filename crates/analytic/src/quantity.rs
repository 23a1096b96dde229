//! What a quantity is: a named function from named parameters to named results, described well enough that a
//! program can list it, check its arguments and print its formula and source.

use std::fmt;

/// A parameter value outside the domain of a formula.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{parameter} is {value}, but must be {accepted}")]
pub struct DomainError {
    /// The parameter's name, as in the quantity's list of parameters.
    pub parameter: &'static str,
    /// The value that was given.
    pub value: f64,
    /// What is accepted, as a phrase that follows "must be".
    pub accepted: &'static str,
}

/// The set of values that a parameter may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    /// 0 ≤ x ≤ 1.
    Probability,
    /// 0 < x < 1.
    OpenProbability,
    /// 0 < x < ∞.
    Positive,
    /// 0 ≤ x < ∞.
    NonNegative,
    /// A whole number in a closed range, with the phrase that describes it.
    Count {
        /// Smallest accepted number.
        min: u64,
        /// Largest accepted number.
        max: u64,
        /// The range in words, as a phrase that follows "must be".
        accepted: &'static str,
    },
}

impl Domain {
    /// Whether `value` belongs to the domain; NaN never does.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        match self {
            Self::Probability => (0.0..=1.0).contains(&value),
            Self::OpenProbability => value > 0.0 && value < 1.0,
            Self::Positive => value > 0.0 && value.is_finite(),
            Self::NonNegative => value >= 0.0 && value.is_finite(),
            Self::Count { min, max, .. } => {
                value.fract() == 0.0 && value >= min as f64 && value <= max as f64
            }
        }
    }

    /// The domain in words, as a phrase that follows "must be".
    #[must_use]
    pub fn accepted(self) -> &'static str {
        match self {
            Self::Probability => "a number from 0 to 1",
            Self::OpenProbability => "a number between 0 and 1, both excluded",
            Self::Positive => "a finite number above 0",
            Self::NonNegative => "a finite number of at least 0",
            Self::Count { accepted, .. } => accepted,
        }
    }

    /// Accepts `value` or says in a typed error why not.
    ///
    /// # Errors
    /// [`DomainError`] naming `parameter` when `value` is outside the domain.
    pub fn check(self, parameter: &'static str, value: f64) -> Result<f64, DomainError> {
        if self.contains(value) {
            Ok(value)
        } else {
            Err(DomainError {
                parameter,
                value,
                accepted: self.accepted(),
            })
        }
    }
}

/// Whether a parameter must be given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Requirement {
    /// There is no sensible default.
    Required,
    /// Used when the parameter is absent.
    Default(f64),
    /// Results that need the parameter are left out when it is absent.
    Optional,
}

/// One parameter of a quantity.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Name on the command line and in JSON.
    pub name: &'static str,
    /// Meaning, with its unit.
    pub meaning: &'static str,
    /// Accepted values.
    pub domain: Domain,
    /// Whether it must be given.
    pub requirement: Requirement,
}

/// A result of a quantity: a number, or the reason why there is none.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The number.
    Number(f64),
    /// There is no such number for these parameters, and why.
    Absent(String),
}

impl Value {
    /// The number, if there is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Absent(_) => None,
        }
    }

    /// Replaces a number too large for double precision by the statement that it is.
    ///
    /// # Panics
    /// If the number is NaN: no formula may give it for checked arguments.
    fn representable(self, quantity: &str, result: &str) -> Self {
        match self {
            Self::Number(number) => {
                assert!(!number.is_nan(), "{quantity} gave NaN for {result}");
                if number.is_infinite() {
                    Self::Absent("it is larger than the largest number of double precision".to_owned())
                } else {
                    self
                }
            }
            Self::Absent(_) => self,
        }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Absent(reason) => write!(f, "does not exist: {reason}"),
        }
    }
}

/// The results of an evaluation, in the quantity's own order.
pub type Values = Vec<(&'static str, Value)>;

/// A documented, evaluable quantity.
#[derive(Debug)]
pub struct Quantity {
    /// Name on the command line.
    pub name: &'static str,
    /// One line: what it is about.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Names and meanings of its results, in the order in which they are returned.
    pub results: &'static [(&'static str, &'static str)],
    /// The formulas in plain text.
    pub formula: &'static str,
    /// Author, year, equation or section.
    pub source: &'static str,
    /// Evaluates the results from checked arguments.
    pub(crate) evaluate: fn(&Arguments) -> Result<Values, DomainError>,
}

/// Why a set of named arguments cannot be evaluated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ArgumentError {
    /// A name that the quantity does not have.
    #[error("{quantity} has no parameter {name}; it takes {known}")]
    Unknown {
        /// The quantity's name.
        quantity: &'static str,
        /// The name that was given.
        name: String,
        /// The names that it has.
        known: String,
    },
    /// A name given twice.
    #[error("{name} is given more than once")]
    Repeated {
        /// The name.
        name: String,
    },
    /// A required parameter that is absent.
    #[error("{quantity} needs {name} ({meaning})")]
    Missing {
        /// The quantity's name.
        quantity: &'static str,
        /// The parameter's name.
        name: &'static str,
        /// The parameter's meaning.
        meaning: &'static str,
    },
    /// A value outside its domain.
    #[error(transparent)]
    Domain(#[from] DomainError),
}

impl Quantity {
    /// Checks named arguments against the parameters, fills in defaults and evaluates.
    ///
    /// # Errors
    /// [`ArgumentError`] for unknown, repeated, missing or out-of-domain arguments.
    pub fn evaluate(&self, given: &[(&str, f64)]) -> Result<Evaluation, ArgumentError> {
        let mut arguments = Arguments {
            values: vec![None; self.parameters.len()],
            parameters: self.parameters,
        };
        for &(name, value) in given {
            let index = self
                .parameters
                .iter()
                .position(|p| p.name == name)
                .ok_or_else(|| {
                    let known: Vec<_> = self.parameters.iter().map(|p| p.name).collect();
                    ArgumentError::Unknown {
                        quantity: self.name,
                        name: name.to_owned(),
                        known: known.join(", "),
                    }
                })?;
            if arguments.values[index].is_some() {
                return Err(ArgumentError::Repeated {
                    name: name.to_owned(),
                });
            }
            let parameter = &self.parameters[index];
            arguments.values[index] = Some(parameter.domain.check(parameter.name, value)?);
        }
        for (value, parameter) in arguments.values.iter_mut().zip(self.parameters) {
            if value.is_none() {
                match parameter.requirement {
                    Requirement::Required => {
                        return Err(ArgumentError::Missing {
                            quantity: self.name,
                            name: parameter.name,
                            meaning: parameter.meaning,
                        });
                    }
                    Requirement::Default(default) => *value = Some(default),
                    Requirement::Optional => {}
                }
            }
        }
        let values = (self.evaluate)(&arguments)?;
        let values = values
            .into_iter()
            .map(|(name, value)| (name, value.representable(self.name, name)))
            .collect();
        let parameters = self
            .parameters
            .iter()
            .zip(&arguments.values)
            .filter_map(|(parameter, value)| value.map(|value| (parameter.name, value)))
            .collect();
        Ok(Evaluation { parameters, values })
    }
}

/// What an evaluation used and gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The parameters used, defaults included.
    pub parameters: Vec<(&'static str, f64)>,
    /// The results.
    pub values: Values,
}

impl Evaluation {
    /// The number of the result called `name`, if it exists.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.values
            .iter()
            .find(|(known, _)| *known == name)
            .and_then(|(_, value)| value.number())
    }
}

/// Arguments of an evaluation, checked against their domains, defaults filled in.
#[derive(Debug)]
pub struct Arguments {
    values: Vec<Option<f64>>,
    parameters: &'static [Parameter],
}

impl Arguments {
    /// The value of an optional parameter.
    ///
    /// # Panics
    /// If the quantity declares no such parameter: a mistake in the quantity's own definition.
    #[must_use]
    pub fn optional(&self, name: &str) -> Option<f64> {
        let index = self.parameters.iter().position(|p| p.name == name);
        index.map_or_else(
            || panic!("undeclared parameter {name}"),
            |index| self.values[index],
        )
    }

    /// The value of a parameter that is required or has a default.
    ///
    /// # Panics
    /// If the quantity declares no such parameter: a mistake in the quantity's own definition.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        self.optional(name)
            .unwrap_or_else(|| panic!("parameter {name} has neither a value nor a default"))
    }

    /// The value of a whole-numbered parameter.
    ///
    /// # Panics
    /// As [`Arguments::number`].
    #[must_use]
    pub fn count(&self, name: &str) -> u64 {
        self.number(name) as u64
    }
}
