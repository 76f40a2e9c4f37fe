//! A list of a long run in parts of one size. A vector that grows is copied, and each copy leaves
//! a hole into which the next, larger one does not fit; where memory can only grow, as in
//! WebAssembly, such holes stay. A part is never copied, and a part that is given back fits the
//! next one that is needed (`tests/memory`).

use std::ops::{Index, IndexMut};

/// Entries of a part.
const PER_PART: usize = 1 << SHIFT;
const SHIFT: u32 = 10;

/// The list.
#[derive(Clone, Debug)]
pub(super) struct LongList<T> {
    /// All but the last one are full.
    parts: Vec<Vec<T>>,
}

impl<T> Default for LongList<T> {
    fn default() -> Self {
        Self { parts: Vec::new() }
    }
}

impl<T> LongList<T> {
    /// How many there are.
    pub(super) fn n_entries(&self) -> u32 {
        let last = self.parts.last().map_or(0, Vec::len);
        let full = self.parts.len().saturating_sub(1) << SHIFT;
        u32::try_from(full + last).expect("fewer than entries")
    }

    /// Puts one at the end.
    pub(super) fn push(&mut self, entry: T) {
        if let Some(last) = self.parts.last_mut().filter(|part| part.len() < PER_PART) {
            last.push(entry);
            return;
        }
        // A short run needs no whole part.
        let room = if self.parts.is_empty() { 4 } else { PER_PART };
        let mut part = Vec::with_capacity(room);
        part.push(entry);
        self.parts.push(part);
    }

    /// The one at this place, if it is there.
    pub(super) fn get(&self, no: u32) -> Option<&T> {
        self.parts.get((no >> SHIFT) as usize)?.get(no as usize % PER_PART)
    }

    /// All, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.parts.iter().flatten()
    }
}

impl<T> Index<u32> for LongList<T> {
    type Output = T;

    fn index(&self, no: u32) -> &T {
        &self.parts[(no >> SHIFT) as usize][no as usize % PER_PART]
    }
}

impl<T> IndexMut<u32> for LongList<T> {
    fn index_mut(&mut self, no: u32) -> &mut T {
        &mut self.parts[(no >> SHIFT) as usize][no as usize % PER_PART]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_ever_moved_once_there_are_two() {
        let mut list = LongList::default();
        for no in 0..3_000 {
            assert_eq!((list.n_entries(), list.get(no)), (no, None));
            list.push(no);
        }
        let first = std::ptr::from_ref(&list[1_024]);
        for no in 3_000..9_000 {
            list.push(no);
        }
        assert_eq!(std::ptr::from_ref(&list[1_024]), first);
        list[8_999] = 1;
        assert_eq!((list[8_998], list.get(8_999), list.get(9_000)), (8_998, Some(&1), None));
        assert!(list.iter().copied().take(8_999).eq(0..8_999));
    }
}
