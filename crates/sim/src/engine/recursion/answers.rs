//! Answers in time that somebody reacts to, in the order in which they are heard.

use std::collections::VecDeque;

use crate::engine::attempt::Attempt;
use crate::engine::heap::EventHeap;
use crate::engine::plan::NEVER;

/// An answer to an attempt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub(super) attempt: Attempt,
    pub(super) error: bool,
}

impl Answer {
    fn to_number(self) -> u64 {
        self.attempt.to_tag() << 1 | u64::from(self.error)
    }

    fn from_number(number: u64) -> Self {
        Self {
            attempt: Attempt::from_tag(number >> 1),
            error: number & 1 == 1,
        }
    }
}

/// Answers to come.
#[derive(Debug)]
pub(super) enum Answers {
    /// One server answers in the order in which attempts are sent.
    InOrder(VecDeque<(i64, u64)>),
    /// Several servers do not; answers at the same time are heard in the order in which their services began.
    ByTime(EventHeap),
}

impl Answers {
    pub(super) fn new(slots: u32) -> Self {
        if slots == 1 {
            Self::InOrder(VecDeque::new())
        } else {
            Self::ByTime(EventHeap::default())
        }
    }

    /// When the next is heard.
    #[inline]
    pub(super) fn next_at(&self) -> i64 {
        match self {
            Self::InOrder(answers) => answers.front().map_or(NEVER, |&(at, _)| at),
            Self::ByTime(answers) => answers.next_at(),
        }
    }

    /// Adds the answer of the service that began last.
    #[inline]
    pub(super) fn push(&mut self, at: i64, answer: Answer) {
        match self {
            Self::InOrder(answers) => answers.push_back((at, answer.to_number())),
            Self::ByTime(answers) => answers.push(at, answer.to_number()),
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Answer> {
        let number = match self {
            Self::InOrder(answers) => answers.pop_front().map(|(_, number)| number),
            Self::ByTime(answers) => answers.pop(),
        };
        number.map(Answer::from_number)
    }
}
