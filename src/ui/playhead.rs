//! The playhead: where time stands, and the ticks at which it passes. One bus for the page; what
//! moves with time subscribes and writes to its own elements, so that no tick renders a component.
//! The state is told only when the moment under the playhead changes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use gloo_timers::callback::Timeout;
use yew::Callback;

use crate::sim::time::{SimDuration, SimTime};
use crate::ui::store::Clock;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::runs::Runs;
use crate::view_model::transport::playback::{
    Speed, Stops, Tempo, TimeControl, TimeControlCommand,
};

/// How time passes, for the transport.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayState {
    /// Whether time passes.
    pub playing: bool,
    /// How fast.
    pub speed: Speed,
    /// Whether it starts again at the end.
    pub looping: bool,
    /// Whether it passes through a stretch that is drawn in slow motion.
    pub slow: bool,
    /// Whether what comes after the playhead is not to be known.
    pub hidden: bool,
}

/// The page's playhead. Cheap to clone; two are equal if they are the same one.
#[derive(Clone)]
pub struct PlayheadBus(Rc<Inner>);

impl PartialEq for PlayheadBus {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

type Follow<T> = Rc<dyn Fn(T)>;

/// Where the playhead glides to while time passes: the next event. What lies between is the
/// browser's own, which moves a layer without the page's script, style or layout.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Glide {
    /// Where it will be.
    pub to: SimTime,
    /// When, in the browser's milliseconds.
    until: f64,
}

/// The longest time between two ticks: what is written with each (figures) is read no faster.
const TICK_MILLIS: u64 = 80;
/// A tick that is nearer than this is the next frame.
const LEAST_REST_MILLIS: u64 = 20;
/// How long before something happens its frame is asked for: about one frame.
const AHEAD_MILLIS: u64 = 12;
/// A glide that would arrive so much too early or too late is corrected.
const OFF_MILLIS: f64 = 30.0;

struct Inner {
    clock: Clock,
    control: Cell<TimeControl>,
    runs: RefCell<Rc<Runs>>,
    stops: RefCell<Stops>,
    moment: Cell<u32>,
    on_moment: RefCell<Callback<u32>>,
    times: RefCell<Vec<(u32, Follow<SimTime>)>>,
    states: RefCell<Vec<(u32, Follow<PlayState>)>>,
    last_state: Cell<PlayState>,
    seen: RefCell<Option<Seen>>,
    tempo: RefCell<Tempo>,
    views: RefCell<Vec<(u32, Follow<Seen>)>>,
    next_id: Cell<u32>,
    frame: RefCell<Option<AnimationFrame>>,
    /// Asks for the next frame while time passes and nothing moves.
    rest: RefCell<Option<Timeout>>,
    /// When the last frame was, in the browser's milliseconds.
    last_frame: Cell<Option<f64>>,
    /// Where the playhead is under way to.
    glide: Cell<Option<Glide>>,
    /// The instant that was last told.
    told: Cell<SimTime>,
    /// Where a scrub goes at the next frame.
    pending: Cell<Option<SimTime>>,
    /// Whether something is being dragged: time waits.
    held: Cell<bool>,
    /// Whether the future is hidden.
    hidden: Cell<bool>,
}

/// What the timeline shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// The stretch of time, and where its instants lie.
    pub scale: TimeScale,
    /// The moment that is drawn widest: when, and where its bracket begins and ends.
    pub race: Option<[(SimTime, Px); 2]>,
    /// How wide its labels are, at text of 12 px.
    pub column: u16,
}

/// Ends when it is dropped.
pub struct Subscription {
    bus: PlayheadBus,
    id: u32,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let inner = &self.bus.0;
        inner.times.borrow_mut().retain(|(id, _)| *id != self.id);
        inner.states.borrow_mut().retain(|(id, _)| *id != self.id);
        inner.views.borrow_mut().retain(|(id, _)| *id != self.id);
    }
}

impl PlayheadBus {
    /// The playhead over `runs`, standing where `clock` does; `on_moment` is told how many moments
    /// lie at it or before whenever that changes.
    pub fn new(clock: Clock, runs: Rc<Runs>, on_moment: Callback<u32>) -> Self {
        let now = clock.now();
        let moment = runs.moments.n_until(now);
        let bus = Self(Rc::new(Inner {
            control: Cell::new(TimeControl::at(now)),
            clock,
            stops: RefCell::new(Stops::of(&runs)),
            runs: RefCell::new(runs),
            moment: Cell::new(moment),
            on_moment: RefCell::new(on_moment),
            times: RefCell::default(),
            states: RefCell::default(),
            last_state: Cell::default(),
            seen: RefCell::default(),
            tempo: RefCell::default(),
            views: RefCell::default(),
            next_id: Cell::new(0),
            frame: RefCell::default(),
            rest: RefCell::default(),
            last_frame: Cell::new(None),
            glide: Cell::new(None),
            told: Cell::new(now),
            pending: Cell::new(None),
            held: Cell::new(false),
            hidden: Cell::new(false),
        }));
        bus.0.last_state.set(bus.state());
        bus
    }

    /// Other runs are shown. The clock was moved by whoever brought them, if it had to be; who
    /// follows it in the runs as well is called by their own effects.
    pub fn set_runs(&self, runs: Rc<Runs>) {
        if Rc::ptr_eq(&self.0.runs.borrow(), &runs) {
            return;
        }
        *self.0.stops.borrow_mut() = Stops::of(&runs);
        self.0.moment.set(runs.moments.n_until(self.0.clock.now()));
        *self.0.runs.borrow_mut() = runs;
        if self.0.told.get() != self.0.clock.now() {
            self.tell();
        }
    }

    /// Where the playhead is under way to; `None`: it stands, or goes from event to event.
    pub fn glide(&self) -> Option<Glide> {
        self.0.glide.get()
    }

    /// How long a glide still takes, in milliseconds.
    pub fn left_of(&self, glide: Glide) -> u32 {
        let left = self.0.last_frame.get().map_or(0.0, |now| (glide.until - now).max(0.0));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative; nobody waits for what is farther away"
        )]
        let left = left as u32;
        left
    }

    /// How long it takes from now to an instant, in milliseconds.
    pub fn left_until(&self, time: SimTime) -> u32 {
        let left = self.0.control.get().until(time, &self.0.tempo.borrow()).micros() / 1_000;
        u32::try_from(left).unwrap_or(u32::MAX)
    }

    /// The drawing that time passes over evenly.
    pub fn tempo(&self) -> Tempo {
        self.0.tempo.borrow().clone()
    }

    /// Where time stands.
    pub fn now(&self) -> SimTime {
        self.0.clock.now()
    }

    /// The runs that it stands in.
    pub fn runs(&self) -> Rc<Runs> {
        self.0.runs.borrow().clone()
    }

    /// Whether time passes.
    pub fn is_playing(&self) -> bool {
        self.0.control.get().is_playing()
    }

    /// How time passes.
    pub fn state(&self) -> PlayState {
        let control = self.control();
        PlayState {
            playing: control.is_playing(),
            speed: control.speed(),
            looping: control.is_looping(),
            slow: control.is_playing()
                && !control.is_stepwise()
                && self.0.tempo.borrow().is_slow_at(control.now()),
            hidden: self.0.hidden.get(),
        }
    }

    /// Calls `follow` whenever the playhead moves, until the subscription is dropped.
    pub fn subscribe(&self, follow: impl Fn(SimTime) + 'static) -> Subscription {
        let id = self.next_id();
        self.0.times.borrow_mut().push((id, Rc::new(follow)));
        Subscription { bus: self.clone(), id }
    }

    /// Calls `follow` whenever the way in which time passes changes.
    pub fn subscribe_state(&self, follow: impl Fn(PlayState) + 'static) -> Subscription {
        let id = self.next_id();
        self.0.states.borrow_mut().push((id, Rc::new(follow)));
        Subscription { bus: self.clone(), id }
    }

    /// The stretch of time that the timeline shows, once it has shown one: where the playhead led
    /// it, or where somebody zoomed.
    pub fn seen(&self) -> Option<Seen> {
        self.0.seen.borrow().clone()
    }

    /// The timeline shows another stretch, or draws it in another way.
    pub fn set_seen(&self, seen: &Seen) {
        if self.0.seen.borrow().as_ref() == Some(seen) {
            return;
        }
        self.0.seen.replace(Some(seen.clone()));
        self.0.tempo.replace(Tempo::over(Some(seen.scale.clone())));
        let views: Vec<_> = self.0.views.borrow().clone();
        for (_, follow) in views {
            follow(seen.clone());
        }
    }

    /// Calls `follow` whenever the timeline shows another stretch.
    pub fn subscribe_seen(&self, follow: impl Fn(Seen) + 'static) -> Subscription {
        let id = self.next_id();
        self.0.views.borrow_mut().push((id, Rc::new(follow)));
        Subscription { bus: self.clone(), id }
    }

    /// Does what the user asked for.
    pub fn command(&self, command: TimeControlCommand) {
        // Where the next violation is would be told by going there.
        if self.0.hidden.get() && command == TimeControlCommand::NextViolation {
            return;
        }
        self.0.pending.set(None);
        let settles = self.0.glide.take().is_some();
        let mut control = self.control();
        let runs = self.0.runs.borrow().clone();
        let starts = matches!(command, TimeControlCommand::Play | TimeControlCommand::Toggle);
        if starts && !control.is_playing() && self.0.clock.is_placed() {
            self.start_view(&mut control, &runs);
        }
        control.command(command, &runs.moments, &self.0.stops.borrow());
        if command.moves() {
            self.0.clock.take_hold();
        }
        self.put(control, settles);
        self.request_frame();
    }

    /// Goes to `time` at the next frame: of the moves of one frame only the last counts.
    pub fn scrub(&self, time: SimTime) {
        self.0.pending.set(Some(time));
        self.request_frame();
    }

    /// Makes time wait while something is dragged, and lets it go on after.
    pub fn hold(&self, held: bool) {
        self.0.held.set(held);
        self.0.last_frame.set(None);
        self.request_frame();
    }

    /// Hides what comes after the playhead, or shows it.
    pub fn set_hidden(&self, hidden: bool) {
        self.0.hidden.set(hidden);
        self.tell_state();
    }

    /// Where nobody has moved the playhead, play begins where the view does.
    fn start_view(&self, control: &mut TimeControl, runs: &Runs) {
        if let Some(Seen { scale, .. }) = self.0.seen.borrow().as_ref() {
            let begin = TimeControlCommand::Seek(scale.view.from);
            control.command(begin, &runs.moments, &self.0.stops.borrow());
        }
    }

    fn next_id(&self) -> u32 {
        let id = self.0.next_id.get();
        self.0.next_id.set(id + 1);
        id
    }

    /// The control, standing where the clock does: the state moves the clock when runs change.
    fn control(&self) -> TimeControl {
        let mut control = self.0.control.get();
        let now = self.0.clock.now();
        if control.now() != now {
            let runs = self.0.runs.borrow();
            let stops = self.0.stops.borrow();
            control.command(TimeControlCommand::Seek(now), &runs.moments, &stops);
        }
        control
    }

    /// Takes what time has come to, and tells; where it only `settles`, too.
    fn put(&self, control: TimeControl, settles: bool) {
        let moved = control.now() != self.0.clock.now();
        // Where time stops is told again, for those who do not follow every frame.
        let stopped = self.0.control.get().is_playing() && !control.is_playing();
        self.0.control.set(control);
        self.0.clock.set(control.now());
        if moved || stopped || settles {
            self.tell();
        }
        self.tell_state();
    }

    fn tell(&self) {
        let now = self.0.clock.now();
        self.0.told.set(now);
        // Followers may subscribe or leave while they are told.
        let times: Vec<_> = self.0.times.borrow().clone();
        for (_, follow) in times {
            follow(now);
        }
        let moment = self.0.runs.borrow().moments.n_until(now);
        if self.0.moment.replace(moment) != moment {
            let on_moment = self.0.on_moment.borrow().clone();
            on_moment.emit(moment);
        }
    }

    fn tell_state(&self) {
        let state = self.state();
        if self.0.last_state.replace(state) == state {
            return;
        }
        let states: Vec<_> = self.0.states.borrow().clone();
        for (_, follow) in states {
            follow(state);
        }
    }

    fn request_frame(&self) {
        self.0.rest.borrow_mut().take();
        let mut frame = self.0.frame.borrow_mut();
        if frame.is_none() {
            let bus = self.clone();
            *frame = Some(request_animation_frame(move |now| bus.on_frame(now)));
        }
    }

    /// How much of the user's time passes until something happens, in milliseconds.
    fn rest_of(&self, control: &TimeControl) -> u64 {
        let (runs, stops) = (self.0.runs.borrow(), self.0.stops.borrow());
        control.rests_for(&runs.moments, &stops, &self.0.tempo.borrow()).micros() / 1_000
    }

    /// Asks for a frame when something happens, and for figures before.
    fn request_tick(&self) {
        let millis = self.rest_of(&self.0.control.get()).min(TICK_MILLIS);
        if millis < LEAST_REST_MILLIS {
            return self.request_frame();
        }
        let bus = self.clone();
        let wait = u32::try_from(millis - AHEAD_MILLIS).unwrap_or(0);
        let timer = Timeout::new(wait, move || bus.request_frame());
        self.0.rest.replace(Some(timer));
    }

    /// The glide to the next event: the one under way, unless it would come at another time.
    fn glide_of(&self, control: &TimeControl, frame_at: f64) -> Option<Glide> {
        if !control.is_playing() || control.is_stepwise() {
            return None;
        }
        let to = control.next_stop(&self.0.runs.borrow().moments, &self.0.stops.borrow());
        let rest = u32::try_from(self.rest_of(control)).unwrap_or(u32::MAX);
        let until = frame_at + f64::from(rest);
        let is_right = |it: &Glide| it.to == to && (it.until - until).abs() < OFF_MILLIS;
        Some(self.0.glide.get().filter(is_right).unwrap_or(Glide { to, until }))
    }

    fn on_frame(&self, frame_at: f64) {
        self.0.frame.borrow_mut().take();
        let mut control = self.control();
        let scrubbed = self.0.pending.take();
        if let Some(time) = scrubbed {
            let runs = self.0.runs.borrow().clone();
            let stops = self.0.stops.borrow().clone();
            control.command(TimeControlCommand::Seek(time), &runs.moments, &stops);
            self.0.clock.take_hold();
        }
        let passes = control.is_playing() && !self.0.held.get();
        if passes {
            let last = self.0.last_frame.replace(Some(frame_at));
            let elapsed = last.map_or(0.0, |last| (frame_at - last).max(0.0));
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "milliseconds between two frames, not negative"
            )]
            let elapsed = SimDuration::from_micros((elapsed * 1_000.0) as u64);
            let runs = self.0.runs.borrow().clone();
            let (stops, tempo) = (self.0.stops.borrow(), self.0.tempo.borrow());
            control.tick(elapsed, &runs.moments, &stops, &tempo);
        } else {
            self.0.last_frame.set(None);
        }
        // Where it was put, it stands for a frame before it glides on.
        let glides = passes && scrubbed.is_none();
        let glide = if glides { self.glide_of(&control, frame_at) } else { None };
        let settles = self.0.glide.replace(glide).is_some() && glide.is_none();
        self.put(control, settles);
        if passes && control.is_playing() {
            self.request_tick();
        } else {
            self.0.last_frame.set(None);
        }
    }
}
