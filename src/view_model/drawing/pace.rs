//! How fast time passes across the screen: messages that are worth an arrow get room to fly, quiet
//! time is squeezed at one rate, and real time wins where it is wider. It knows no run: it is given
//! what is loud and when something happens (`tracks/pace.rs`).

use crate::sim::time::{SimDuration, SimTime};

use super::metrics::Metrics;
use super::scale::{Bend, Px, TimeView};

/// A flight that wants room.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Loud {
    /// When it begins.
    pub from: SimTime,
    /// When it is over.
    pub to: SimTime,
    /// How many pixels it wants, at text of 12 px.
    pub wants: u16,
    /// Whether it is the write that decides, which gives nothing back.
    pub decides: bool,
}

/// What makes an instant worth a label on the ruler, the most worth first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Worth {
    /// The write that decides arrives.
    Decides,
    /// A pause is over.
    PauseEnds,
    /// An answer to the write that decides arrives.
    Answer,
    /// A lease ends.
    LeaseEnds,
    /// The end of the view.
    ViewEnds,
    /// A write arrives.
    Write,
    /// The begin of the view.
    ViewBegins,
    /// A lease is granted.
    Grant,
    /// A pause begins.
    PauseBegins,
    /// A message arrives.
    Arrival,
    /// A message is sent.
    Departure,
    /// A round time.
    Round,
    /// Something that bends time and is not written on the ruler.
    Unsaid,
}

/// An instant at which something happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Beat {
    /// When.
    pub at: SimTime,
    /// What it is worth.
    pub worth: Worth,
}

/// What of some runs bends time, kept in order: what lies in a view is found by search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pace {
    louds: Vec<Loud>,
    longest: SimDuration,
    beats: Vec<Beat>,
}

/// The sizes that a drawing wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sizes {
    /// Hundredths of what a flight wants.
    pub percent: u16,
    /// The least of a quiet piece.
    pub quiet: Px,
    /// The least of the last piece, where labels of what came last have to stand.
    pub tail: Px,
}

/// Quiet pieces are no wider than this for a second, so that none begins with a jump.
const QUIET_PX_A_SECOND: u64 = 600;
/// What loud pieces may take, in hundredths of the width, if quiet ones leave less.
const LOUD_PERCENT: u64 = 62;
/// What quiet time keeps besides its least.
const QUIET_REST: Px = Px::whole(80);
/// How much of what they have above real time loud pieces keep at least, in hundredths.
const KEPT_PERCENT: u64 = 30;
/// Lengths are computed in parts of 1/64 px.
const PARTS: u64 = 256;

impl Sizes {
    /// As the metrics have it: larger with larger text, smaller where there is little room.
    pub fn of(metrics: &Metrics) -> Self {
        let percent = metrics.text * 100 / 12;
        match metrics.narrow {
            true => Self {
                percent: percent.min(100) * 56 / 100,
                quiet: Px::whole(8),
                tail: Px::whole(66),
            },
            false => Self { percent, quiet: metrics.px(14), tail: metrics.px(104) },
        }
    }
}

/// A piece of time in which nothing begins or ends; lengths in parts of 1/64 px.
#[derive(Clone, Copy, Default)]
struct Piece {
    micros: u64,
    /// To scale.
    real: u64,
    loud: bool,
    decides: bool,
    /// What a loud piece wants, or the least of a quiet one.
    wants: u64,
    width: u64,
}

fn parts(px: Px) -> u64 {
    u64::try_from(px.0).unwrap_or(0) * PARTS
}

/// `a * b / c`, which fits.
fn of(a: u64, b: u64, c: u64) -> u64 {
    u64::try_from(u128::from(a) * u128::from(b) / u128::from(c.max(1))).unwrap_or(u64::MAX)
}

fn sum(pieces: &[Piece], what: impl Fn(&Piece) -> u64) -> u64 {
    pieces.iter().map(what).fold(0, u64::saturating_add)
}

impl Pace {
    /// Brings flights and beats in order; of beats at one instant the most worth stays.
    pub fn of(mut louds: Vec<Loud>, mut beats: Vec<Beat>) -> Self {
        louds.retain(|loud| loud.from < loud.to);
        louds.sort_unstable();
        louds.dedup();
        beats.extend(louds.iter().flat_map(|loud| [loud.from, loud.to]).map(Beat::unsaid));
        beats.sort_unstable();
        beats.dedup_by_key(|beat| beat.at);
        let longest = louds.iter().map(|loud| loud.to.since(loud.from)).max();
        Self { louds, longest: longest.unwrap_or_default(), beats }
    }

    /// The beats inside a view, in order; those at its ends are not.
    pub fn beats(&self, view: TimeView) -> &[Beat] {
        let first = self.beats.partition_point(|beat| beat.at <= view.from);
        let last = self.beats.partition_point(|beat| beat.at < view.to).max(first);
        &self.beats[first..last]
    }

    /// What is worth most at an instant.
    pub fn worth(&self, at: SimTime) -> Option<Worth> {
        let index = self.beats.binary_search_by_key(&at, |beat| beat.at).ok()?;
        Some(self.beats[index].worth)
    }

    /// Whether as many flights want as much room each: where not, a message has begun to decide, or
    /// is there no longer, and the whole drawing makes room.
    pub fn wants_as(&self, other: &Self) -> bool {
        let wants = |pace: &Self| pace.louds.iter().map(|loud| loud.wants).collect::<Vec<_>>();
        wants(self) == wants(other)
    }

    fn louds(&self, view: TimeView) -> impl Iterator<Item = &Loud> {
        let first = self.louds.partition_point(|loud| loud.from + self.longest <= view.from);
        let last = self.louds.partition_point(|loud| loud.from < view.to).max(first);
        self.louds[first..last].iter().filter(move |loud| loud.to > view.from)
    }

    /// Where time bends in a view; `None` where it does not, or where so much happens that no piece
    /// would have two pixels.
    pub(super) fn bends(&self, view: TimeView, width: Px, sizes: Sizes) -> Option<Vec<Bend>> {
        let beats = self.beats(view);
        if beats.len() > usize::try_from(width.floor() / 2).unwrap_or(0) {
            return None;
        }
        let mut cuts = vec![view.from];
        cuts.extend(beats.iter().map(|beat| beat.at));
        cuts.push(view.to);
        let mut pieces = self.pieces(view, &cuts, parts(width), sizes);
        give_back(&mut pieces, parts(width));
        spread(&mut pieces, parts(width));
        let bends = placed(&cuts, &pieces, width);
        let length = view.length().micros();
        let steps = u64::try_from(width.0).unwrap_or(0);
        let to_scale = |bend: &Bend| of(bend.at.since(view.from).micros(), steps, length);
        let is_bent =
            |bend: &Bend| u64::try_from(bend.x.0).unwrap_or(0).abs_diff(to_scale(bend)) > 1;
        bends.iter().any(is_bent).then_some(bends)
    }

    fn pieces(&self, view: TimeView, cuts: &[SimTime], width: u64, sizes: Sizes) -> Vec<Piece> {
        let length = view.length().micros();
        let mut pieces: Vec<Piece> = cuts
            .windows(2)
            .map(|pair| {
                let micros = pair[1].since(pair[0]).micros();
                Piece { micros, real: of(micros, width, length), ..Piece::default() }
            })
            .collect();
        for loud in self.louds(view) {
            let flies = loud.to.since(loud.from).micros();
            let wants = u64::from(loud.wants) * 64 * PARTS * u64::from(sizes.percent) / 100;
            let wants = wants.max(of(flies, width, length));
            let first = cuts.partition_point(|cut| *cut < loud.from);
            let last = cuts.partition_point(|cut| *cut < loud.to.min(view.to));
            for piece in &mut pieces[first..last] {
                piece.loud = true;
                piece.decides |= loud.decides;
                piece.wants = piece.wants.max(of(wants, piece.micros, flies));
            }
        }
        let n_pieces = pieces.len();
        for (index, piece) in pieces.iter_mut().enumerate().filter(|(_, piece)| !piece.loud) {
            let least = if index + 1 == n_pieces { sizes.tail } else { sizes.quiet };
            let most = of(piece.micros, QUIET_PX_A_SECOND * 64 * PARTS, 1_000_000);
            piece.wants = parts(least).min(most);
        }
        pieces
    }
}

impl Beat {
    fn unsaid(at: SimTime) -> Self {
        Self { at, worth: Worth::Unsaid }
    }
}

/// Too many flights for the width: all but those that decide give back the same share of what they
/// have above real time.
fn give_back(pieces: &mut [Piece], width: u64) {
    let quiet = sum(pieces, |piece| if piece.loud { 0 } else { piece.wants });
    let need = sum(pieces, |piece| if piece.loud { piece.wants } else { 0 });
    let room = width.saturating_sub(quiet);
    let most = room.saturating_sub(parts(QUIET_REST)).max(of(width, LOUD_PERCENT, 100)).min(room);
    if need <= most {
        return;
    }
    let own = |piece: &Piece| match piece {
        Piece { loud: false, .. } => 0,
        Piece { decides: true, .. } => piece.wants,
        Piece { .. } => piece.real.min(piece.wants),
    };
    let fixed = sum(pieces, own);
    let (keeps, of_all) = (most.saturating_sub(fixed), need - fixed);
    let too_little = u128::from(keeps) * 100 < u128::from(of_all) * u128::from(KEPT_PERCENT);
    let (keeps, of_all) = if too_little { (KEPT_PERCENT, 100) } else { (keeps, of_all) };
    for piece in pieces.iter_mut().filter(|piece| piece.loud && !piece.decides) {
        let own = own(piece);
        piece.wants = own + of(piece.wants - own, keeps, of_all);
    }
}

/// The rest of the width goes to quiet time at one rate; a piece below its least gets that and
/// leaves.
fn spread(pieces: &mut [Piece], width: u64) {
    let loud = sum(pieces, |piece| if piece.loud { piece.wants } else { 0 });
    let mut rest = width.saturating_sub(loud);
    let mut free: Vec<usize> = (0..pieces.len()).filter(|index| !pieces[*index].loud).collect();
    for piece in pieces.iter_mut() {
        piece.width = piece.wants;
    }
    loop {
        let micros = free.iter().map(|index| pieces[*index].micros).sum::<u64>();
        let n_before = free.len();
        let (shared, mut taken) = (rest, 0);
        free.retain(|&index| {
            let piece = &mut pieces[index];
            piece.width = of(shared, piece.micros, micros);
            if piece.width >= piece.wants {
                return true;
            }
            piece.width = piece.wants;
            taken += piece.wants;
            false
        });
        if free.len() == n_before {
            return;
        }
        rest = rest.saturating_sub(taken);
    }
}

/// The cuts at their places: all widths together are the view's.
fn placed(cuts: &[SimTime], pieces: &[Piece], width: Px) -> Vec<Bend> {
    let total = sum(pieces, |piece| piece.width);
    let steps = u64::try_from(width.0).unwrap_or(0);
    let mut so_far = 0_u64;
    let mut bends = Vec::with_capacity(cuts.len());
    for (index, at) in cuts.iter().enumerate() {
        let x = of(so_far, steps, total);
        let x = if index == pieces.len() { steps } else { x };
        let piece = pieces.get(index).copied().unwrap_or_default();
        bends.push(Bend { at: *at, x: Px(i32::try_from(x).unwrap_or(width.0)), loud: piece.loud });
        so_far = so_far.saturating_add(piece.width);
    }
    bends
}
