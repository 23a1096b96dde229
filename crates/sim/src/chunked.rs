//! A double-ended queue in chunks: it grows and shrinks by a chunk at a time, so that a waiting line of millions needs
//! hardly more than its entries, and it takes an emptied chunk again before it asks for a new one.

use std::collections::VecDeque;

/// Entries of a chunk.
const CHUNK: usize = 256;
/// Emptied chunks that are kept for later.
const SPARE_MAX: usize = 2;

/// The double-ended queue.
#[derive(Debug, Clone)]
pub(crate) struct Chunked<T> {
    chunks: VecDeque<Box<[T; CHUNK]>>,
    spare: Vec<Box<[T; CHUNK]>>,
    /// Position of the first entry in the first chunk.
    head: usize,
    length: usize,
}

impl<T: Copy + Default> Chunked<T> {
    pub(crate) fn new() -> Self {
        Self {
            chunks: VecDeque::new(),
            spare: Vec::new(),
            head: 0,
            length: 0,
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    #[inline]
    pub(crate) fn push_back(&mut self, value: T) {
        let position = self.head + self.length;
        let chunk = position / CHUNK;
        if chunk == self.chunks.len() {
            self.add_chunk();
        }
        self.chunks[chunk][position % CHUNK] = value;
        self.length += 1;
    }

    #[inline]
    pub(crate) fn pop_front(&mut self) -> Option<T> {
        if self.length == 0 {
            return None;
        }
        let value = self.chunks[0][self.head];
        self.length -= 1;
        if self.length == 0 {
            // Starting over in the same chunk keeps a short queue in the same few cache lines.
            self.head = 0;
        } else {
            self.head += 1;
            if self.head == CHUNK {
                self.head = 0;
                self.drop_first_chunk();
            }
        }
        Some(value)
    }

    #[inline]
    pub(crate) fn pop_back(&mut self) -> Option<T> {
        if self.length == 0 {
            return None;
        }
        self.length -= 1;
        let position = self.head + self.length;
        let value = self.chunks[position / CHUNK][position % CHUNK];
        if position.is_multiple_of(CHUNK) && position > 0 {
            self.drop_last_chunk();
        }
        Some(value)
    }

    /// Takes the entry at `index`, counted from the front; the last entry takes its place.
    #[inline]
    pub(crate) fn swap_remove(&mut self, index: usize) -> Option<T> {
        let last = self.pop_back()?;
        if index == self.length {
            Some(last)
        } else {
            Some(std::mem::replace(self.get_mut(index), last))
        }
    }

    #[inline]
    pub(crate) fn front(&self) -> Option<T> {
        if self.length == 0 {
            None
        } else {
            Some(self.chunks[0][self.head])
        }
    }

    /// The entry at `index`, counted from the front.
    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut T {
        assert!(
            index < self.length,
            "no entry {index} in a queue of {}",
            self.length
        );
        let position = self.head + index;
        &mut self.chunks[position / CHUNK][position % CHUNK]
    }

    pub(crate) fn for_each_mut(&mut self, mut change: impl FnMut(&mut T)) {
        for position in self.head..self.head + self.length {
            change(&mut self.chunks[position / CHUNK][position % CHUNK]);
        }
    }

    #[cold]
    fn add_chunk(&mut self) {
        let chunk = self
            .spare
            .pop()
            .unwrap_or_else(|| Box::new([T::default(); CHUNK]));
        self.chunks.push_back(chunk);
    }

    #[cold]
    fn drop_first_chunk(&mut self) {
        let chunk = self.chunks.pop_front();
        self.keep(chunk);
    }

    #[cold]
    fn drop_last_chunk(&mut self) {
        let chunk = self.chunks.pop_back();
        self.keep(chunk);
    }

    fn keep(&mut self, chunk: Option<Box<[T; CHUNK]>>) {
        if self.spare.len() < SPARE_MAX {
            self.spare.extend(chunk);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn behaves_as_a_deque(operations in prop::collection::vec((0_u8..6, 1_usize..600), 1..60)) {
            let mut chunked = Chunked::new();
            let mut plain = VecDeque::new();
            let mut next = 0_u64;
            for (operation, times) in operations {
                for _ in 0..times {
                    match operation {
                        0 | 1 => {
                            chunked.push_back(next);
                            plain.push_back(next);
                            next += 1;
                        }
                        2 => prop_assert_eq!(chunked.pop_front(), plain.pop_front()),
                        3 => prop_assert_eq!(chunked.pop_back(), plain.pop_back()),
                        4 => {
                            let index = times % plain.len().max(1);
                            prop_assert_eq!(chunked.swap_remove(index), plain.swap_remove_back(index));
                        }
                        _ => {
                            if !plain.is_empty() {
                                let index = times % plain.len();
                                *chunked.get_mut(index) += 1;
                                plain[index] += 1;
                            }
                        }
                    }
                    prop_assert_eq!(chunked.len(), plain.len());
                    prop_assert_eq!(chunked.front(), plain.front().copied());
                }
                let mut entries = Vec::new();
                chunked.for_each_mut(|entry| entries.push(*entry));
                prop_assert_eq!(&entries, &plain.iter().copied().collect::<Vec<_>>());
                prop_assert!(chunked.chunks.len() <= chunked.len() / CHUNK + 2);
            }
        }
    }
}
