//! Calls to one insurer, with deadline, retries, concurrency limit and circuit breaker.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use backon::{ExponentialBuilder, Retryable};
use domain::id::InsurerId;
use service::clock::Random;
use service::insurer::InsurerFault;
use service::traces::{self, SpanKind};
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tracing::Instrument;

use crate::circuit_breaker::{BreakerPermit, CircuitBreaker};
use crate::client::{Client, ClientError, Request};
use crate::protocol::answer::WrongAnswer;
use crate::tuning::Tuning;

/// Purpose of a call to an insurer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    CreditPrices,
    HealthPrices,
    Submission,
    Decision,
    Notice,
    Request,
}

impl CallKind {
    /// Word for this kind of call in metrics.
    const fn word(self) -> &'static str {
        match self {
            CallKind::CreditPrices => "credit_prices",
            CallKind::HealthPrices => "health_prices",
            CallKind::Submission => "submission",
            CallKind::Decision => "decision",
            CallKind::Notice => "notice",
            CallKind::Request => "request",
        }
    }

    /// Whether the call is about a sold policy.
    const fn is_after_sale(self) -> bool {
        matches!(self, CallKind::Notice | CallKind::Request)
    }
}

/// Client of one insurer, with concurrency limit and circuit breakers. A process keeps it until the end.
pub(crate) struct GuardedClient {
    pub(crate) insurer: InsurerId,
    client: Client,
    concurrency_limit: Semaphore,
    breaker: Arc<CircuitBreaker>,
    /// Circuit breaker for calls about sold policies. It is separate, so that failures of these calls do not
    /// stop quotes.
    after_sale: Arc<CircuitBreaker>,
    tuning: Tuning,
    random: Arc<dyn Random>,
}

impl GuardedClient {
    /// Creates the client. At most `calls_in_flight` calls run at the same time.
    pub(crate) fn new(
        insurer: InsurerId,
        client: Client,
        calls_in_flight: u16,
        tuning: Tuning,
        random: Arc<dyn Random>,
    ) -> Self {
        set_open_gauge(insurer, false);
        let on_change = Box::new(move |open| {
            set_open_gauge(insurer, open);
            if open {
                tracing::warn!(insurer.id = %insurer, "insurer {insurer} failed too often: its circuit breaker is open");
            } else {
                tracing::info!(insurer.id = %insurer, "insurer {insurer} answers again: its circuit breaker is closed");
            }
        });
        let after_sale = Box::new(move |open| {
            if open {
                tracing::warn!(insurer.id = %insurer, "insurer {insurer} failed too often: notices to this insurer wait");
            } else {
                tracing::info!(insurer.id = %insurer, "insurer {insurer} accepts notices again");
            }
        });
        GuardedClient {
            insurer,
            client,
            concurrency_limit: Semaphore::new(calls_in_flight.into()),
            breaker: CircuitBreaker::new(&tuning, on_change),
            after_sale: CircuitBreaker::new(&tuning, after_sale),
            tuning,
            random,
        }
    }

    /// The plain client, without concurrency limit and circuit breaker.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Makes a call, and parses the answer. If 404 is a valid answer, `not_found` is its result.
    ///
    /// # Errors
    /// [`InsurerFault`]. The call fails at the latest after `within`.
    pub(crate) async fn call<T, Parse>(
        self: &Arc<Self>,
        kind: CallKind,
        request: Request,
        within: Duration,
        parse: Parse,
        not_found: Option<T>,
    ) -> Result<T, InsurerFault>
    where
        T: Send + 'static,
        Parse: FnOnce(&[u8]) -> Result<T, WrongAnswer> + Send + 'static,
    {
        let call = async {
            let breaker = if kind.is_after_sale() { &self.after_sale } else { &self.breaker };
            let started = Instant::now();
            let answer = match breaker.permit() {
                None => Err(InsurerFault::CircuitOpen),
                // The call runs in its own task, because its outcome counts. A partner that disconnects must
                // not cancel it.
                Some(permit) => {
                    let client = self.clone();
                    let permitted = async move {
                        client.call_permitted(permit, &request, within, parse, not_found).await
                    };
                    let called = tokio::spawn(traces::handed_over(permitted).in_current_span()).await;
                    called.unwrap_or_else(|_| {
                        Err(InsurerFault::Failed("the insurer's answer could not be read".into()))
                    })
                }
            };
            self.record_metrics(kind, started, &answer);
            answer
        };
        traces::span(SpanKind::Client, || format!("insurer {}", kind.word()), call).await
    }

    /// Makes a call that the circuit breaker permitted, and records its outcome in the permit.
    async fn call_permitted<T>(
        &self,
        permit: BreakerPermit,
        request: &Request,
        within: Duration,
        parse: impl FnOnce(&[u8]) -> Result<T, WrongAnswer>,
        not_found: Option<T>,
    ) -> Result<T, InsurerFault> {
        let deadline = Instant::now() + within;
        let Ok(slot) = tokio::time::timeout_at(deadline, self.concurrency_limit.acquire()).await else {
            // The call waited for our own calls, not for the insurer.
            permit.ignore();
            return Err(InsurerFault::Slow);
        };
        let _slot = slot.expect("the semaphore is never closed");
        if !permit.is_current() {
            // The circuit breaker opened while this call waited.
            return Err(InsurerFault::CircuitOpen);
        }
        // A call that spent most of its time in our queue does not prove a slow insurer.
        let had_enough_time = deadline.saturating_duration_since(Instant::now()) * 2 >= within;
        let body = match tokio::time::timeout_at(deadline, self.send_with_retries(deadline, request)).await {
            Err(_) => {
                if !had_enough_time {
                    permit.ignore();
                }
                return Err(InsurerFault::Slow);
            }
            Ok(Err(ClientError::Refused(StatusCode::NOT_FOUND))) if not_found.is_some() => {
                permit.succeed();
                return Ok(not_found.expect("the guard of this arm checked it"));
            }
            Ok(Err(error @ ClientError::Refused(_))) => {
                // One partner's impossible request must not open the circuit breaker for all partners.
                permit.ignore();
                return Err(failed(error));
            }
            Ok(Err(error)) => return Err(failed(error)),
            Ok(Ok(body)) => body,
        };
        let answer = parse(&body).map_err(failed)?;
        permit.succeed();
        Ok(answer)
    }

    /// Sends a request. Retries after temporary failures, while attempts and time remain. It is safe to
    /// repeat a request: prices have no effect, and an insurer takes a proposal with the same id only once.
    async fn send_with_retries(&self, deadline: Instant, request: &Request) -> Result<Vec<u8>, ClientError> {
        let attempt = || async { self.client.send(request).await?.body() };
        let mut seed = [0; 8];
        self.random.fill(&mut seed);
        let pauses = ExponentialBuilder::default()
            .with_min_delay(self.tuning.retry_pause)
            .with_factor(2.0)
            .with_max_times(self.tuning.retries)
            .with_jitter_seed(u64::from_be_bytes(seed))
            .with_jitter();
        attempt
            .retry(pauses)
            .when(|error| matches!(error, ClientError::Unreachable(_) | ClientError::Busy { .. }))
            .adjust(|error, pause| {
                let requested = match error {
                    ClientError::Busy { retry_after, .. } => retry_after.unwrap_or_default(),
                    ClientError::Unreachable(_) | ClientError::Refused(_) | ClientError::Wrong(_) => {
                        Duration::ZERO
                    }
                };
                let left = deadline.saturating_duration_since(Instant::now());
                pause.map(|pause| pause.max(requested)).filter(|pause| *pause < left)
            })
            .await
    }

    fn record_metrics<T>(&self, kind: CallKind, started: Instant, answer: &Result<T, InsurerFault>) {
        traces::note("insurer.id", self.insurer);
        if let Err(fault) = answer {
            traces::fail(fault);
        }
        let outcome = match answer {
            Ok(_) => "answered",
            Err(InsurerFault::Slow) => "slow",
            Err(InsurerFault::CircuitOpen) => "resting",
            Err(InsurerFault::Failed(_)) => "failed",
        };
        let insurer = self.insurer.to_string();
        metrics::counter!("covernote_insurer_calls_total", "insurer" => insurer.clone(), "call" => kind.word(), "outcome" => outcome)
            .increment(1);
        metrics::histogram!("covernote_insurer_call_seconds", "insurer" => insurer, "call" => kind.word())
            .record(started.elapsed().as_secs_f64());
    }
}

/// Failure of the insurer, with its cause for the log.
fn failed(cause: impl std::fmt::Display) -> InsurerFault {
    InsurerFault::Failed(cause.to_string())
}

/// Sets the gauge of an insurer's circuit breaker: 1 while it is open, otherwise 0.
fn set_open_gauge(insurer: InsurerId, open: bool) {
    metrics::gauge!("covernote_insurer_resting", "insurer" => insurer.to_string()).set(if open {
        1.0
    } else {
        0.0
    });
}
