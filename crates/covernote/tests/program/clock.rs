//! A clock that is corrected while a server runs (D131).

use std::time::{Duration, Instant};

use crate::support::clock::MovedClock;
use crate::support::demo::{DemoPartner, told};
use crate::support::receiver::Receiver;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_scheduled_by_a_wrong_clock_is_sent_soon_after_the_clock_is_corrected() {
    let here = tempfile::tempdir().expect("a folder");
    // The clock is two hours ahead.
    let (clock, demo) = MovedClock::serve(here.path(), 7200);
    let receiver = Receiver::by(|before| (if before == 0 { 503 } else { 200 }, "", Vec::new())).await;
    let add = ["webhook", "add", "--partner", "demo", "--url", &receiver.url(), "--type", "policy.issued"];
    assert_eq!(told(here.path(), &add).0, 0);
    DemoPartner::with_token(&demo.base).await.has_policy().await;
    receiver.has(1).await;
    // The second attempt was scheduled by the wrong clock.
    clock.set(0);
    let corrected = Instant::now();
    receiver.has(2).await;
    assert!(corrected.elapsed() < Duration::from_secs(60), "{:?}", corrected.elapsed());
    assert!(demo.logged().iter().any(|line| line.contains("the clock was set back")));
}
