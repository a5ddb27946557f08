//! Circuit breaker: stops calls to an insurer that fails too often, then allows one trial call at a time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::tuning::Tuning;

/// Called with `true` if the circuit breaker opens, and with `false` if it closes again.
pub(crate) type StateListener = Box<dyn Fn(bool) + Send + Sync>;

/// Counts failed calls to an insurer, and decides whether the next call is made.
pub(crate) struct CircuitBreaker {
    window: usize,
    failures: usize,
    open_for: Duration,
    on_change: StateListener,
    status: Mutex<Status>,
}

/// State of a circuit breaker, with the number of state changes.
struct Status {
    state: State,
    /// Number of state changes so far. The outcome of a call that began before the last change is ignored.
    changes: u64,
}

enum State {
    /// All calls are made. The list says for each of the latest calls whether it failed.
    Closed(VecDeque<bool>),
    /// No call is made until this time.
    Open(Instant),
    /// One trial call is in flight. No other call is made.
    HalfOpen,
}

impl CircuitBreaker {
    /// Creates a circuit breaker that is closed, so that calls are made.
    pub(crate) fn new(tuning: &Tuning, on_change: StateListener) -> Arc<Self> {
        Arc::new(CircuitBreaker {
            window: tuning.window,
            failures: tuning.failures,
            open_for: tuning.open_for,
            on_change,
            status: Mutex::new(Status { state: State::Closed(VecDeque::new()), changes: 0 }),
        })
    }

    /// Permits a call. `None` if no call may be made now.
    pub(crate) fn permit(self: &Arc<Self>) -> Option<BreakerPermit> {
        let mut status = self.status();
        match status.state {
            State::Closed(_) => {}
            State::Open(until) if until <= Instant::now() => status.change(State::HalfOpen),
            State::Open(_) | State::HalfOpen => return None,
        }
        Some(BreakerPermit { breaker: self.clone(), changes: status.changes, succeeded: Some(false) })
    }

    fn status(&self) -> MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records whether a call succeeded. `None`: the call does not count.
    fn record(&self, changes: u64, succeeded: Option<bool>) {
        let mut status = self.status();
        if status.changes != changes {
            return;
        }
        let Some(succeeded) = succeeded else {
            if let State::HalfOpen = status.state {
                // The next call may be the trial call immediately.
                status.change(State::Open(Instant::now()));
            }
            return;
        };
        let open = || State::Open(Instant::now() + self.open_for);
        match &mut status.state {
            State::Closed(calls) => {
                calls.push_back(!succeeded);
                if calls.len() > self.window {
                    calls.pop_front();
                }
                if calls.iter().filter(|failed| **failed).count() >= self.failures {
                    status.change(open());
                    (self.on_change)(true);
                }
            }
            State::HalfOpen if succeeded => {
                status.change(State::Closed(VecDeque::new()));
                (self.on_change)(false);
            }
            State::HalfOpen => status.change(open()),
            State::Open(_) => {}
        }
    }
}

impl Status {
    fn change(&mut self, to: State) {
        self.state = to;
        self.changes += 1;
    }
}

/// Permission for one call. If the permit is dropped before an outcome is recorded, even by a panic, the call
/// counts as failed.
pub(crate) struct BreakerPermit {
    breaker: Arc<CircuitBreaker>,
    changes: u64,
    succeeded: Option<bool>,
}

impl BreakerPermit {
    /// Records that the call succeeded.
    pub(crate) fn succeed(mut self) {
        self.succeeded = Some(true);
    }

    /// Records that the call does not count, because it was never sent or its request was wrong.
    pub(crate) fn ignore(mut self) {
        self.succeeded = None;
    }

    /// Whether the circuit breaker's state is the same as when the permit was given.
    pub(crate) fn is_current(&self) -> bool {
        self.breaker.status().changes == self.changes
    }
}

impl Drop for BreakerPermit {
    fn drop(&mut self) {
        self.breaker.record(self.changes, self.succeeded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaker() -> Arc<CircuitBreaker> {
        CircuitBreaker::new(&Tuning::default(), Box::new(|_| {}))
    }

    fn call(breaker: &Arc<CircuitBreaker>, succeeds: bool) -> bool {
        let permit = breaker.permit();
        let permitted = permit.is_some();
        if let Some(permit) = permit.filter(|_| succeeds) {
            permit.succeed();
        }
        permitted
    }

    async fn wait_while_open() {
        tokio::time::advance(Tuning::default().open_for).await;
    }

    #[tokio::test(start_paused = true)]
    async fn the_breaker_opens_at_the_twentieth_failure_and_closes_after_one_successful_trial_call() {
        let breaker = breaker();
        assert!((0..20).all(|_| call(&breaker, false)));
        assert!(!call(&breaker, true));
        tokio::time::advance(Duration::from_millis(9_999)).await;
        assert!(!call(&breaker, true));
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(call(&breaker, true) && call(&breaker, false) && call(&breaker, true));
    }

    #[tokio::test(start_paused = true)]
    async fn the_breaker_opens_at_twenty_failures_among_forty_calls_in_any_order() {
        let breaker = breaker();
        assert!((0..38).all(|number| call(&breaker, number % 2 == 1)));
        assert!(call(&breaker, true) && call(&breaker, false));
        assert!(!call(&breaker, true));
    }

    #[tokio::test(start_paused = true)]
    async fn failures_before_the_last_40_calls_do_not_open_the_breaker() {
        let breaker = breaker();
        assert!((0..19).all(|_| call(&breaker, false)) && (0..40).all(|_| call(&breaker, true)));
        assert!((0..19).all(|_| call(&breaker, false)) && call(&breaker, true));
    }

    #[tokio::test(start_paused = true)]
    async fn an_open_breaker_allows_one_trial_call_at_a_time() {
        let breaker = breaker();
        assert!((0..20).all(|_| call(&breaker, false)));
        wait_while_open().await;
        let trial = breaker.permit().expect("the open time is over");
        assert!((0..5).all(|_| breaker.permit().is_none()));
        drop(trial);
        assert!(breaker.permit().is_none(), "a failed trial call opens it again");
        wait_while_open().await;
        breaker.permit().expect("the second open time is over").succeed();
        assert!(call(&breaker, true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_began_before_the_last_state_change_does_not_count() {
        let breaker = breaker();
        let slow: Vec<BreakerPermit> = (0..30).map(|_| breaker.permit().expect("closed")).collect();
        assert!(slow.iter().all(BreakerPermit::is_current) && (0..20).all(|_| call(&breaker, false)));
        assert!(!slow.iter().any(BreakerPermit::is_current));
        wait_while_open().await;
        breaker.permit().expect("the open time is over").succeed();
        drop(slow);
        assert!(call(&breaker, true), "failures of earlier calls do not open it again");
    }

    #[tokio::test(start_paused = true)]
    async fn ignored_calls_neither_open_nor_close_the_breaker() {
        let breaker = breaker();
        (0..100).for_each(|_| breaker.permit().expect("closed").ignore());
        assert!((0..20).all(|_| call(&breaker, false)) && !call(&breaker, true));
        wait_while_open().await;
        breaker.permit().expect("the open time is over").ignore();
        assert!(call(&breaker, true), "the next call is the trial call");
        assert!(call(&breaker, true));
    }

    #[tokio::test(start_paused = true)]
    async fn the_listener_is_notified_once_of_each_opening_and_closing() {
        let changes = Arc::new(Mutex::new(Vec::new()));
        let recorded = changes.clone();
        let breaker = CircuitBreaker::new(
            &Tuning::default(),
            Box::new(move |open| recorded.lock().expect("not poisoned").push(open)),
        );
        assert!((0..20).all(|_| call(&breaker, false)));
        for succeeds in [false, false, true, true] {
            wait_while_open().await;
            assert!(call(&breaker, succeeds));
        }
        assert_eq!(*changes.lock().expect("not poisoned"), [true, false]);
    }
}
