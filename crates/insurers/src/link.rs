//! Calls to one insurer: bounded in time and in number, tried again, and withheld while it rests.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use backon::{ExponentialBuilder, Retryable};
use domain::id::InsurerId;
use service::clock::Random;
use service::insurer::InsurerFault;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tracing::Instrument;

use crate::breaker::{Breaker, Pass};
use crate::exchange::{Exchange, Fault, Request};
use crate::protocol::answer::WrongAnswer;
use crate::tuning::Tuning;

/// Everything between a call and the insurer's server. What it learned lives as long as the process.
pub(crate) struct Link {
    pub(crate) insurer: InsurerId,
    exchange: Exchange,
    places: Semaphore,
    breaker: Arc<Breaker>,
    tuning: Tuning,
    random: Arc<dyn Random>,
}

impl Link {
    /// A link with so many places for calls in flight.
    pub(crate) fn new(
        insurer: InsurerId,
        exchange: Exchange,
        calls_in_flight: u16,
        tuning: Tuning,
        random: Arc<dyn Random>,
    ) -> Self {
        show_resting(insurer, false);
        let told = Box::new(move |resting| {
            show_resting(insurer, resting);
            if resting {
                tracing::warn!(insurer.id = %insurer, "insurer {insurer} failed too often: it is left alone for a while");
            } else {
                tracing::info!(insurer.id = %insurer, "insurer {insurer} answers again");
            }
        });
        Link {
            insurer,
            exchange,
            places: Semaphore::new(calls_in_flight.into()),
            breaker: Breaker::new(&tuning, told),
            tuning,
            random,
        }
    }

    /// The way to its server, for what needs none of this.
    pub(crate) fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// Asks, and reads the answer. `what` names the kind of call in metrics.
    ///
    /// # Errors
    /// [`InsurerFault`], within the time given.
    pub(crate) async fn ask<T, Read>(
        self: &Arc<Self>,
        what: &'static str,
        request: Request,
        within: Duration,
        read: Read,
    ) -> Result<T, InsurerFault>
    where
        T: Send + 'static,
        Read: FnOnce(&[u8]) -> Result<T, WrongAnswer> + Send + 'static,
    {
        self.ask_or(what, request, within, read, None).await
    }

    /// The same where 404 is an answer too.
    ///
    /// # Errors
    /// As [`Link::ask`].
    pub(crate) async fn ask_or<T, Read>(
        self: &Arc<Self>,
        what: &'static str,
        request: Request,
        within: Duration,
        read: Read,
        unknown: Option<T>,
    ) -> Result<T, InsurerFault>
    where
        T: Send + 'static,
        Read: FnOnce(&[u8]) -> Result<T, WrongAnswer> + Send + 'static,
    {
        let started = Instant::now();
        let answer = match self.breaker.pass() {
            None => Err(InsurerFault::Resting),
            // On a task of its own: a partner that hangs up takes the call with it, and says nothing about the insurer.
            Some(pass) => {
                let link = self.clone();
                let call = async move { link.call(pass, &request, within, read, unknown).await };
                let called = tokio::spawn(call.in_current_span()).await;
                called.unwrap_or_else(|_| Err(InsurerFault::Failed("its answer could not be read".into())))
            }
        };
        self.measure(what, started, &answer);
        answer
    }

    /// Makes a call that was let through, and says how it went.
    async fn call<T>(
        &self,
        pass: Pass,
        request: &Request,
        within: Duration,
        read: impl FnOnce(&[u8]) -> Result<T, WrongAnswer>,
        unknown: Option<T>,
    ) -> Result<T, InsurerFault> {
        let deadline = Instant::now() + within;
        let Ok(place) = tokio::time::timeout_at(deadline, self.places.acquire()).await else {
            // Our own calls stood in its way, not the insurer.
            pass.say_nothing();
            return Err(InsurerFault::Slow);
        };
        let _place = place.expect("never closed");
        if !pass.holds() {
            // It was left alone while this call waited for its turn.
            return Err(InsurerFault::Resting);
        }
        // Who stood in our own queue for most of the time cannot say that the insurer is slow.
        let had_its_time = deadline.saturating_duration_since(Instant::now()) * 2 >= within;
        let body = match tokio::time::timeout_at(deadline, self.attempt_until(deadline, request)).await {
            Err(_) => {
                if !had_its_time {
                    pass.say_nothing();
                }
                return Err(InsurerFault::Slow);
            }
            Ok(Err(Fault::Refused(StatusCode::NOT_FOUND))) if unknown.is_some() => {
                pass.succeed();
                return Ok(unknown.expect("looked at just now"));
            }
            Ok(Err(fault @ Fault::Refused(_))) => {
                // One who asks for what cannot be must not take the insurer from all others.
                pass.say_nothing();
                return Err(failed(fault));
            }
            Ok(Err(fault)) => return Err(failed(fault)),
            Ok(Ok(body)) => body,
        };
        let answer = read(&body).map_err(failed)?;
        pass.succeed();
        Ok(answer)
    }

    /// Sends a request until it is answered, as often as may be and while there is time. To send it again changes
    /// nothing: prices are only asked for, and a proposal is taken once by its id.
    async fn attempt_until(&self, deadline: Instant, request: &Request) -> Result<Vec<u8>, Fault> {
        let attempt = || async { self.exchange.send(request).await?.body() };
        let mut seed = [0; 8];
        self.random.fill(&mut seed);
        let pauses = ExponentialBuilder::default()
            .with_min_delay(self.tuning.pause)
            .with_factor(2.0)
            .with_max_times(self.tuning.retries)
            .with_jitter_seed(u64::from_be_bytes(seed))
            .with_jitter();
        attempt
            .retry(pauses)
            .when(|fault| matches!(fault, Fault::Unreachable(_) | Fault::Busy { .. }))
            .adjust(|fault, pause| {
                let asked = match fault {
                    Fault::Busy { retry_after, .. } => retry_after.unwrap_or_default(),
                    Fault::Unreachable(_) | Fault::Refused(_) | Fault::Wrong(_) => Duration::ZERO,
                };
                let left = deadline.saturating_duration_since(Instant::now());
                pause.map(|pause| pause.max(asked)).filter(|pause| *pause < left)
            })
            .await
    }

    fn measure<T>(&self, call: &'static str, started: Instant, answer: &Result<T, InsurerFault>) {
        let outcome = match answer {
            Ok(_) => "answered",
            Err(InsurerFault::Slow) => "slow",
            Err(InsurerFault::Resting) => "resting",
            Err(InsurerFault::Failed(_)) => "failed",
        };
        let insurer = self.insurer.to_string();
        metrics::counter!("covernote_insurer_calls_total", "insurer" => insurer.clone(), "call" => call, "outcome" => outcome)
            .increment(1);
        metrics::histogram!("covernote_insurer_call_seconds", "insurer" => insurer, "call" => call)
            .record(started.elapsed().as_secs_f64());
    }
}

/// The cause of a failure, for the log.
fn failed(cause: impl std::fmt::Display) -> InsurerFault {
    InsurerFault::Failed(cause.to_string())
}

/// Shows whether an insurer is left alone: 1 where it is.
fn show_resting(insurer: InsurerId, resting: bool) {
    metrics::gauge!("covernote_insurer_resting", "insurer" => insurer.to_string()).set(if resting {
        1.0
    } else {
        0.0
    });
}
