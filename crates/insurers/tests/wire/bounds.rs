//! Tests limits of a call: deadline, concurrency, retries, circuit breaker.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use futures_util::future::join_all;
use insurers::Tuning;
use insurers::mock::Behaviour;
use rating::HttpConnector;
use service::insurer::{CreditAsk, InsurerFault, NoticeEvent};

use crate::support::*;

/// Longest allowed delay of an answer on a busy machine.
const GENEROUS: Duration = Duration::from_secs(3);

/// Time that a circuit breaker stays open.
const OPEN_FOR: Duration = Duration::from_secs(10);

fn hanging() -> Behaviour {
    Behaviour { hang_percent: 100, ..Behaviour::default() }
}

fn failing() -> Behaviour {
    Behaviour { fail_percent: 100, ..Behaviour::default() }
}

#[tokio::test]
async fn a_call_to_an_insurer_that_hangs_ends_as_slow_at_the_deadline() {
    let served = serve_in(hanging());
    let started = Instant::now();
    let answer = ask_within(&OurSide::new().insurer(&served.url), Duration::from_millis(200)).await;
    assert_eq!(answer, Err(InsurerFault::Slow)); // D22
    assert!(started.elapsed() < GENEROUS, "{:?}", started.elapsed());
}

#[tokio::test]
async fn calls_in_flight_never_exceed_the_concurrency_limit() {
    let served = serve_in(Behaviour { latency: Duration::from_millis(30), ..Behaviour::default() });
    let ours = OurSide::new();
    let insurer = ours.insurer_by(HttpConnector { calls_in_flight: 3, ..http(&served.url) });
    let answers = join_all((0..20).map(|_| ask(&insurer))).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    let counts = served.mock.counts();
    assert_eq!((counts.asked, counts.most_in_flight, counts.in_flight), (20, 3, 0)); // L2
}

#[tokio::test]
async fn waiting_for_the_concurrency_limit_counts_toward_the_deadline() {
    let served = serve_in(hanging());
    let ours = OurSide::new();
    let insurer = ours.insurer_by(HttpConnector { calls_in_flight: 1, ..http(&served.url) });
    let started = Instant::now();
    let answers = join_all((0..5).map(|_| ask_within(&insurer, Duration::from_millis(200)))).await;
    assert!(answers.iter().all(|answer| *answer == Err(InsurerFault::Slow)), "{answers:?}");
    assert!(started.elapsed() < GENEROUS, "{:?}", started.elapsed());
    assert_eq!(served.mock.counts().most_in_flight, 1);
}

#[tokio::test]
async fn a_temporary_failure_is_retried() {
    let good = good_prices();
    for status in [500, 503, 429] {
        let busy = answering(move || StatusCode::from_u16(status).expect("a status"));
        let (scripted, url) = Scripted::serve([busy.clone(), busy, json(good.clone())]);
        assert_eq!(ask(&OurSide::new().insurer(&url)).await, Ok(variants().len()), "{status}");
        assert_eq!(scripted.times_asked(), 3);
    }
}

#[tokio::test]
async fn a_call_fails_after_three_attempts() {
    let served = serve_in(failing());
    let answer = ask(&OurSide::new().insurer(&served.url)).await;
    assert_eq!(answer, Err(InsurerFault::Failed("the server answered 503".into())));
    assert_eq!(served.mock.counts().asked, 3);
}

#[tokio::test]
async fn no_retry_begins_after_the_deadline() {
    let served = serve_in(failing());
    let ours = OurSide::tuned(Tuning { retry_pause: Duration::from_secs(3600), ..Tuning::default() });
    assert!(matches!(ask(&ours.insurer(&served.url)).await, Err(InsurerFault::Failed(_))));
    assert_eq!(served.mock.counts().asked, 1);
}

#[tokio::test]
async fn a_retry_waits_as_long_as_the_insurer_asks_within_the_deadline() {
    let asks = |seconds: &'static str| {
        answering(move || (StatusCode::TOO_MANY_REQUESTS, [("retry-after", seconds)]))
    };
    let (scripted, url) = Scripted::serve([asks("1"), json(good_prices())]);
    let started = Instant::now();
    assert_eq!(ask(&OurSide::new().insurer(&url)).await, Ok(variants().len()));
    assert!(started.elapsed() >= Duration::from_secs(1));
    assert_eq!(scripted.times_asked(), 2);
    let (scripted, url) = Scripted::serve([asks("3600")]);
    assert!(matches!(ask(&OurSide::new().insurer(&url)).await, Err(InsurerFault::Failed(_))));
    assert_eq!(scripted.times_asked(), 1);
}

/// Moves only the clock of the circuit breakers. No request may be in flight.
async fn time_passes(by: Duration) {
    tokio::time::pause();
    tokio::time::advance(by).await;
    tokio::time::resume();
}

#[tokio::test]
async fn the_circuit_breaker_opens_after_twenty_failed_calls_and_closes_by_itself() {
    let served = serve_in(failing());
    let ours = OurSide::new();
    let insurer = ours.insurer(&served.url);
    for _ in 0..20 {
        assert!(matches!(ask(&insurer).await, Err(InsurerFault::Failed(_))));
    }
    let asked = served.mock.counts().asked;
    assert_eq!(ask(&insurer).await, Err(InsurerFault::CircuitOpen));
    assert_eq!(
        served.mock.counts().asked,
        asked,
        "an insurer gets no call while its circuit breaker is open"
    );
    served.mock.set_behaviour(Behaviour::default());
    time_passes(OPEN_FOR / 2).await;
    assert_eq!(ask(&insurer).await, Err(InsurerFault::CircuitOpen));
    time_passes(OPEN_FOR / 2).await;
    assert_eq!(ask(&insurer).await, Ok(variants().len()));
    let answers = join_all((0..10).map(|_| ask(&insurer))).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
}

#[tokio::test]
async fn failed_notices_to_an_insurer_do_not_stop_its_price_requests() {
    let served = serve_in(failing());
    let ours = OurSide::new();
    let insurer = ours.insurer(&served.url);
    let policy = crate::notices::policy();
    let tell = async || crate::notices::tell(&insurer, &policy, NoticeEvent::Issued, "NEW-1").await;
    for _ in 0..20 {
        assert!(matches!(tell().await, Err(InsurerFault::Failed(_))));
    }
    assert_eq!(tell().await, Err(InsurerFault::CircuitOpen));
    served.mock.set_behaviour(Behaviour::default());
    assert_eq!(ask(&insurer).await, Ok(variants().len()));
}

#[tokio::test]
async fn a_slow_insurer_opens_the_circuit_breaker_and_gets_one_trial_call_at_a_time() {
    let served = serve_in(hanging());
    let ours = OurSide::new();
    let insurer = ours.insurer(&served.url);
    let ask_shortly = || ask_within(&insurer, Duration::from_millis(150));
    // Not more concurrent calls than the limit: a call that waits in our own queue does not count.
    for _ in 0..2 {
        let answers = join_all((0..10).map(|_| ask_shortly())).await;
        assert!(answers.iter().all(|answer| *answer == Err(InsurerFault::Slow)), "{answers:?}");
    }
    assert_eq!(ask_shortly().await, Err(InsurerFault::CircuitOpen));
    time_passes(OPEN_FOR).await;
    let answers = join_all((0..10).map(|_| ask_shortly())).await;
    let waited = answers.iter().filter(|answer| **answer == Err(InsurerFault::Slow)).count();
    assert_eq!(waited, 1, "{answers:?}");
}

#[tokio::test]
async fn a_cancelled_call_to_a_hanging_insurer_still_counts_as_a_failure() {
    let served = serve_in(hanging());
    let ours = OurSide::new();
    let insurer = ours.insurer(&served.url);
    for _ in 0..20 {
        let asking = ask_within(&insurer, Duration::from_millis(100));
        assert!(tokio::time::timeout(Duration::from_millis(5), asking).await.is_err());
    }
    let deadline = Instant::now() + AMPLE;
    while ask_within(&insurer, Duration::from_millis(1)).await != Err(InsurerFault::CircuitOpen) {
        assert!(Instant::now() < deadline, "it is still asked");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn requests_refused_with_a_client_error_do_not_open_the_circuit_breaker() {
    // Otherwise one partner's wrong requests would stop the calls of all partners.
    for status in [400, 404, 409, 413, 415, 422] {
        let status = StatusCode::from_u16(status).expect("a status");
        let refused = answering(move || status);
        let (scripted, url) = Scripted::serve([refused]);
        let ours = OurSide::new();
        let insurer = ours.insurer(&url);
        for call in 0..45 {
            let answer = ask(&insurer).await;
            assert!(matches!(answer, Err(InsurerFault::Failed(_))), "{status}, call {call}: {answer:?}");
        }
        assert_eq!(scripted.times_asked(), 45, "{status}: it is still asked");
    }
}

#[tokio::test]
async fn a_wait_in_our_own_queue_does_not_count_for_the_circuit_breaker() {
    let served = serve_in(Behaviour { latency: Duration::from_millis(150), ..Behaviour::default() });
    let ours = OurSide::new();
    let insurer = ours.insurer_by(HttpConnector { calls_in_flight: 1, ..http(&served.url) });
    let (request, variants) = (borrower(), variants());
    let credit = CreditAsk { request: &request, variants: &variants, starts: TODAY };
    // Most of these calls reach their deadline in our own queue. That is not the insurer's failure.
    let waiting = (0..60).map(|_| insurer.price_credit(credit, Duration::from_secs(1)));
    let answers = join_all(waiting).await;
    assert!(answers.iter().filter(|answer| **answer == Err(InsurerFault::Slow)).count() > 40, "{answers:?}");
    assert!(ask(&insurer).await.is_ok());
}

#[tokio::test]
async fn answers_that_refuse_a_price_count_as_successful_calls() {
    let refusals: Vec<String> = variants()
        .iter()
        .map(|variant| format!(r#"{{"variant_id": "{variant}", "refused": "Not this lender."}}"#))
        .collect();
    let (_, url) = Scripted::serve([json(format!(r#"{{"prices": [{}]}}"#, refusals.join(",")))]);
    let ours = OurSide::new();
    let insurer = ours.insurer(&url);
    for _ in 0..45 {
        assert_eq!(ask(&insurer).await, Ok(variants().len()));
    }
}

#[tokio::test]
async fn the_circuit_breaker_stays_open_when_the_catalogue_is_reloaded() {
    let served = serve_in(failing());
    let ours = OurSide::new();
    for _ in 0..20 {
        assert!(matches!(ask(&ours.insurer(&served.url)).await, Err(InsurerFault::Failed(_))));
    }
    assert_eq!(ask(&ours.insurer(&served.url)).await, Err(InsurerFault::CircuitOpen));
    let other_way = HttpConnector { calls_in_flight: 7, ..http(&served.url) };
    assert!(matches!(ask(&ours.insurer_by(other_way)).await, Err(InsurerFault::Failed(_))));
}

#[tokio::test]
async fn a_call_with_no_time_left_is_slow_and_does_not_panic() {
    let served = serve_in(Behaviour::default());
    let request = borrower();
    let variants = variants();
    let ask = CreditAsk { request: &request, variants: &variants, starts: TODAY };
    let answer = OurSide::new().insurer(&served.url).price_credit(ask, Duration::ZERO).await;
    assert_eq!(answer.err(), Some(InsurerFault::Slow));
}

/// Answer with a price for every requested variant.
fn good_prices() -> String {
    let price = |variant| {
        format!(
            r#"{{"variant_id": "{variant}", "base_premium": "100.00", "gst": "18.00", "total_premium": "118.00"}}"#
        )
    };
    format!(r#"{{"prices": [{}]}}"#, variants().into_iter().map(price).collect::<Vec<_>>().join(","))
}

#[tokio::test]
async fn calls_to_slow_and_hanging_insurers_do_not_affect_a_fast_insurer() {
    let slow = Behaviour { latency: Duration::from_secs(60), ..Behaviour::default() };
    let served = [Behaviour::default(), slow, hanging()].map(serve_in);
    let ours = OurSide::new();
    let insurers = served.each_ref().map(|served| ours.insurer(&served.url));
    let started = Instant::now();
    let answers =
        join_all(insurers.iter().map(|insurer| ask_within(insurer, Duration::from_millis(500)))).await;
    let took = started.elapsed();
    assert_eq!(answers, [Ok(variants().len()), Err(InsurerFault::Slow), Err(InsurerFault::Slow)]); // L2
    assert!(took < GENEROUS, "{took:?}");
}

#[tokio::test]
async fn an_https_address_gets_no_plain_http_request() {
    let served = serve_in(Behaviour::default());
    let answer = ask(&OurSide::new().insurer(&served.url.replace("http://", "https://"))).await;
    assert!(
        matches!(&answer, Err(InsurerFault::Failed(cause)) if cause.contains("cannot be reached")),
        "{answer:?}"
    );
    assert_eq!(served.mock.counts().asked, 0);
}
