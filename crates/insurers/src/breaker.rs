//! The circuit breaker: an insurer that failed too often is left alone for a while, then tried by one call at a time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::tuning::Tuning;

/// Whom a breaker tells that its insurer is left alone from now on, or asked again.
pub(crate) type Told = Box<dyn Fn(bool) + Send + Sync>;

/// Counts failures, and says whether to call.
pub(crate) struct Breaker {
    window: usize,
    failures: usize,
    rest: Duration,
    told: Told,
    now: Mutex<Now>,
}

/// Where the breaker stands.
struct Now {
    state: State,
    /// How often the state changed. A call that began before the last change says nothing about what is now.
    changes: u64,
}

enum State {
    /// Calls go through. Of the last ones, which failed.
    Closed(VecDeque<bool>),
    /// None does until then.
    Open(Instant),
    /// One is on its way, to try.
    Trying,
}

impl Breaker {
    /// A breaker that lets calls through.
    pub(crate) fn new(tuning: &Tuning, told: Told) -> Arc<Self> {
        Arc::new(Breaker {
            window: tuning.window,
            failures: tuning.failures,
            rest: tuning.rest,
            told,
            now: Mutex::new(Now { state: State::Closed(VecDeque::new()), changes: 0 }),
        })
    }

    /// Lets a call through, or not.
    pub(crate) fn pass(self: &Arc<Self>) -> Option<Pass> {
        let mut now = self.now();
        match now.state {
            State::Closed(_) => {}
            State::Open(until) if until <= Instant::now() => now.change(State::Trying),
            State::Open(_) | State::Trying => return None,
        }
        Some(Pass { breaker: self.clone(), changes: now.changes, good: Some(false) })
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes how a call went; `None` where it says nothing about the insurer.
    fn note(&self, changes: u64, good: Option<bool>) {
        let mut now = self.now();
        if now.changes != changes {
            return;
        }
        let Some(good) = good else {
            if let State::Trying = now.state {
                // The next call may try at once.
                now.change(State::Open(Instant::now()));
            }
            return;
        };
        let open = || State::Open(Instant::now() + self.rest);
        match &mut now.state {
            State::Closed(calls) => {
                calls.push_back(!good);
                if calls.len() > self.window {
                    calls.pop_front();
                }
                if calls.iter().filter(|failed| **failed).count() >= self.failures {
                    now.change(open());
                    (self.told)(true);
                }
            }
            State::Trying if good => {
                now.change(State::Closed(VecDeque::new()));
                (self.told)(false);
            }
            State::Trying => now.change(open()),
            State::Open(_) => {}
        }
    }
}

impl Now {
    fn change(&mut self, to: State) {
        self.state = to;
        self.changes += 1;
    }
}

/// A call that was let through. One that ends without a word, by a panic too, has failed.
pub(crate) struct Pass {
    breaker: Arc<Breaker>,
    changes: u64,
    good: Option<bool>,
}

impl Pass {
    /// The call went well.
    pub(crate) fn succeed(mut self) {
        self.good = Some(true);
    }

    /// The call says nothing about the insurer: it was never sent, or what was sent was at fault.
    pub(crate) fn say_nothing(mut self) {
        self.good = None;
    }

    /// Whether the breaker stands as it did when it let the call through.
    pub(crate) fn holds(&self) -> bool {
        self.breaker.now().changes == self.changes
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.breaker.note(self.changes, self.good);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaker() -> Arc<Breaker> {
        Breaker::new(&Tuning::default(), Box::new(|_| {}))
    }

    fn call(breaker: &Arc<Breaker>, good: bool) -> bool {
        let pass = breaker.pass();
        let let_through = pass.is_some();
        if let Some(pass) = pass.filter(|_| good) {
            pass.succeed();
        }
        let_through
    }

    async fn rest() {
        tokio::time::advance(Tuning::default().rest).await;
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_at_the_twentieth_failure_and_closes_by_one_good_call_after_its_rest() {
        let breaker = breaker();
        assert!((0..20).all(|_| call(&breaker, false)));
        assert!(!call(&breaker, true));
        tokio::time::advance(Duration::from_millis(9_999)).await;
        assert!(!call(&breaker, true));
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(call(&breaker, true) && call(&breaker, false) && call(&breaker, true));
    }

    #[tokio::test(start_paused = true)]
    async fn good_calls_between_do_not_hide_twenty_failures_of_forty() {
        let breaker = breaker();
        assert!((0..38).all(|number| call(&breaker, number % 2 == 1)));
        assert!(call(&breaker, true) && call(&breaker, false));
        assert!(!call(&breaker, true));
    }

    #[tokio::test(start_paused = true)]
    async fn what_lies_before_the_window_is_forgotten() {
        let breaker = breaker();
        assert!((0..19).all(|_| call(&breaker, false)) && (0..40).all(|_| call(&breaker, true)));
        assert!((0..19).all(|_| call(&breaker, false)) && call(&breaker, true));
    }

    #[tokio::test(start_paused = true)]
    async fn one_call_at_a_time_tries_whether_it_works_again() {
        let breaker = breaker();
        assert!((0..20).all(|_| call(&breaker, false)));
        rest().await;
        let trial = breaker.pass().expect("the rest is over");
        assert!((0..5).all(|_| breaker.pass().is_none()));
        drop(trial);
        assert!(breaker.pass().is_none(), "a failed trial is followed by another rest");
        rest().await;
        breaker.pass().expect("the second rest is over").succeed();
        assert!(call(&breaker, true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_from_before_says_nothing_about_what_is_now() {
        let breaker = breaker();
        let slow: Vec<Pass> = (0..30).map(|_| breaker.pass().expect("closed")).collect();
        assert!(slow.iter().all(Pass::holds) && (0..20).all(|_| call(&breaker, false)));
        assert!(!slow.iter().any(Pass::holds));
        rest().await;
        breaker.pass().expect("the rest is over").succeed();
        drop(slow);
        assert!(call(&breaker, true), "failures from before the rest do not open it again");
    }

    #[tokio::test(start_paused = true)]
    async fn calls_that_say_nothing_neither_open_nor_close_it() {
        let breaker = breaker();
        (0..100).for_each(|_| breaker.pass().expect("closed").say_nothing());
        assert!((0..20).all(|_| call(&breaker, false)) && !call(&breaker, true));
        rest().await;
        breaker.pass().expect("the rest is over").say_nothing();
        assert!(call(&breaker, true), "the next call tries in its place");
        assert!(call(&breaker, true));
    }

    #[tokio::test(start_paused = true)]
    async fn opening_and_closing_are_told_once_each() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = told.clone();
        let breaker = Breaker::new(
            &Tuning::default(),
            Box::new(move |resting| heard.lock().expect("whole").push(resting)),
        );
        assert!((0..20).all(|_| call(&breaker, false)));
        for good in [false, false, true, true] {
            rest().await;
            assert!(call(&breaker, good));
        }
        assert_eq!(*told.lock().expect("whole"), [true, false]);
    }
}
