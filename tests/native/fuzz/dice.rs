//! Random numbers for the fuzzers: a seed, the fuzzer's name and the number of the case make them,
//! so that each case can be made again alone, on any machine.

/// A stream of numbers.
#[derive(Clone)]
pub struct Dice(u64);

impl Dice {
    /// The numbers of a case.
    pub fn new(seed: u64, name: &str, case: u32) -> Self {
        let name = name.bytes().map(u64::from);
        let parts = [seed, u64::from(case)].into_iter().chain(name);
        let mut dice = Self(0);
        for part in parts {
            dice.0 ^= part;
            dice.0 = dice.next();
        }
        dice
    }

    /// 64 bits: SplitMix64 (Steele, Lea, Flood 2014).
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `count`; 0 where that is 0.
    pub fn below(&mut self, count: usize) -> usize {
        let below = self.next() % u64::try_from(count.max(1)).expect("64 bits");
        usize::try_from(below).expect("below a count")
    }

    /// Once in so many.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// One of several texts.
    pub fn text<'a>(&mut self, all: &'a [String]) -> &'a str {
        &all[self.below(all.len())]
    }
}
