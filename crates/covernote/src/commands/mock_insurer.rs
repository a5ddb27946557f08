//! `covernote mock-insurer`: the insurers' protocol served from a catalogue.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use insurers::mock::{Behaviour, Mock, MockSettings, Verdict};
use serde_json::json;

use super::insurer::shared_secret;
use super::process::{self, address};
use super::stop_signal::stop_signal;
use crate::cli::{MockDecision, MockInsurer};
use crate::failure::{Failure, Result};
use crate::output;
use crate::settings::Settings;
use crate::wiring::{SystemClock, load_catalogue};

pub(super) fn run(arguments: MockInsurer) -> Result<()> {
    let (flags, catalogue) = (&arguments.flags, &arguments.catalogue);
    let settings = Settings::read(flags, catalogue.flag_values(), Settings::environment())?;
    let listen = address("listen", &arguments.listen)?;
    let behaviour = Behaviour {
        latency: Duration::from_millis(arguments.latency_ms),
        fail_percent: arguments.fail_percent,
        hang_percent: arguments.hang_percent,
        malformed_percent: arguments.rubbish_percent,
        malformed: Vec::new(),
    };
    validate(&behaviour)?;
    let catalogue = load_catalogue(&settings.catalogue)?.catalogue;
    let mock = MockSettings {
        behaviour,
        seed: arguments.seed,
        verdict: match arguments.decision {
            MockDecision::Accept => Verdict::Accept,
            MockDecision::Reject => Verdict::Reject,
            MockDecision::Pending => Verdict::Pending,
        },
        decide_after: Duration::from_millis(arguments.decide_after_ms),
        authentication: shared_secret(arguments.secret),
        callback_url: arguments.tell,
    };
    let _log = process::start_log(&settings)?;
    let mock = Mock::new(catalogue, mock, Arc::new(SystemClock)).map_err(Failure::Configuration)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|cause| Failure::Failed(format!("the runtime cannot start: {cause}")))?;
    runtime.block_on(async {
        let stop = stop_signal()?;
        let listener = TcpListener::bind(listen)
            .map_err(|cause| Failure::Away(format!("cannot listen on {listen}: {cause}")))?;
        let failed = |cause| Failure::Failed(format!("the mock insurer stopped: {cause}"));
        let bound = listener.local_addr().map_err(failed)?;
        if arguments.json {
            output::data(&json!({ "url": format!("http://{bound}") }).to_string());
        }
        output::message(&format!("the mock insurer listens on http://{bound}"));
        mock.serve(listener, stop).await.map_err(failed)
    })
}

/// Refuses percentages whose sum is above 100, because a request can fail in one way only.
fn validate(behaviour: &Behaviour) -> Result<()> {
    let percents = [behaviour.fail_percent, behaviour.hang_percent, behaviour.malformed_percent];
    let together: u32 = percents.into_iter().map(u32::from).sum();
    if together > 100 {
        return Err(Failure::BadData(format!(
            "--fail-percent, --hang-percent and --rubbish-percent add up to {together}; they may add up to at most 100"
        )));
    }
    Ok(())
}
