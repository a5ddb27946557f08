//! `covernote mock-insurer`: the insurers' protocol served from a catalogue, until told to stop.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use insurers::mock::{Mock, MockSettings, Mood, Verdict};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use super::insurer::shared_secret;
use super::process::address;
use super::settings;
use crate::cli::{MockDecision, MockInsurer};
use crate::failure::Failure;
use crate::wiring::{SystemClock, load_catalogue};
use crate::{logs, output};

pub(super) fn run(told: MockInsurer) -> Result<(), Failure> {
    let settings = settings(&told.place)?;
    let listen = address("listen", &told.listen)?;
    let mood = Mood {
        latency: Duration::from_millis(told.latency_ms),
        fail_percent: told.fail_percent,
        hang_percent: told.hang_percent,
        rubbish_percent: told.rubbish_percent,
        rubbish: Vec::new(),
    };
    judge(&mood)?;
    let catalogue = load_catalogue(&settings.catalogue)?.catalogue;
    let mock = MockSettings {
        mood,
        seed: told.seed,
        verdict: match told.decision {
            MockDecision::Accept => Verdict::Accept,
            MockDecision::Reject => Verdict::Reject,
            MockDecision::Pending => Verdict::Pending,
        },
        decide_after: Duration::from_millis(told.decide_after_ms),
        authentication: shared_secret(told.secret),
        tell: told.tell,
    };
    logs::start(&settings)?;
    let mock = Mock::new(catalogue, mock, Arc::new(SystemClock)).map_err(Failure::Configuration)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|cause| Failure::Failed(format!("the runtime cannot start: {cause}")))?;
    runtime.block_on(async {
        let stop = told_to_stop()?;
        let listener = TcpListener::bind(listen)
            .map_err(|cause| Failure::Away(format!("cannot listen on {listen}: {cause}")))?;
        let failed = |cause| Failure::Failed(format!("the mock insurer stopped: {cause}"));
        let bound = listener.local_addr().map_err(failed)?;
        if told.json {
            output::data(&json!({ "url": format!("http://{bound}") }).to_string());
        }
        output::say(&format!("a mock insurer listens on http://{bound}"));
        mock.serve(listener, stop).await.map_err(failed)
    })
}

/// A request can be treated in one way alone.
fn judge(mood: &Mood) -> Result<(), Failure> {
    let percents = [mood.fail_percent, mood.hang_percent, mood.rubbish_percent];
    let together: u32 = percents.into_iter().map(u32::from).sum();
    if together > 100 {
        return Err(Failure::BadData(format!(
            "--fail-percent, --hang-percent and --rubbish-percent are {together} together; at most 100 is wanted"
        )));
    }
    Ok(())
}

/// Asked to stop by the system or the keyboard. Heard from the moment this is called.
fn told_to_stop() -> Result<impl Future<Output = ()> + Send + 'static, Failure> {
    let terminations = signal(SignalKind::terminate());
    let mut terminations =
        terminations.map_err(|cause| Failure::Failed(format!("signals cannot be waited for: {cause}")))?;
    Ok(async move {
        tokio::select! {
            _ = terminations.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    })
}
