//! The background tasks of `serve` or `worker`: they refresh partners with keys, remove expired records,
//! follow the catalogue, serve metrics, watch for a stop signal.

use std::convert::Infallible;
use std::future::Future;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use insurers::HttpConnectors;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use service::Service;
use service::retention::Pace;
use system::logs::Log;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;
use web::api::Probed;
use web::server::Tls;

use crate::audit::HeadWriter;
use crate::cli::VERSION;
use crate::failure::{Failure, Result};
use crate::otlp::Exporter;
use crate::settings::Settings;
use crate::wiring::{load_catalogue, validate_insurers, warn_of_unapproved, web_limits};
use crate::{machine, supervisor};

/// Time between two reads of partners and keys, so that a change takes effect everywhere within 5 seconds.
pub(super) const DIRECTORY_PERIOD: Duration = Duration::from_secs(2);

/// Time between two checks whether the TLS certificate's files changed.
const CERTIFICATE_PERIOD: Duration = Duration::from_secs(10);

/// Time between two checks of the work that waits for a person.
const WAITING_PERIOD: Duration = Duration::from_mins(5);

/// Time between two checks of the deposits' balances.
const DEPOSIT_PERIOD: Duration = Duration::from_secs(60);

/// Time between two checks for events that a date causes, such as the end of a policy.
const CALENDAR_PERIOD: Duration = Duration::from_secs(60);

/// Time between two writes of the audit trail's signed heads.
const HEAD_PERIOD: Duration = Duration::from_secs(60);

/// Time between two reports of dropped log lines.
const LOG_PERIOD: Duration = Duration::from_secs(5);

/// Time between two searches for what killed processes have left unfinished.
const LEFTOVER_PERIOD: Duration = Duration::from_secs(15);

/// Time between two removals of short-lived records, such as stored responses.
const FORGET_PERIOD: Duration = Duration::from_secs(600);

/// Time between two removals of records whose retention has ended.
const REMOVAL_PERIOD: Duration = Duration::from_hours(24);

/// Buckets of the latency histograms, in seconds.
const SECONDS: &[f64] =
    &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// Buckets of the histograms of batch sizes.
const SIZES: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

/// Starts the log, then runs a process to its end on its own runtime.
pub(super) fn run(settings: &Settings, process: impl Future<Output = Result<()>>) -> Result<()> {
    run_boxed(settings, Box::pin(process))
}

fn run_boxed(settings: &Settings, process: Pin<Box<dyn Future<Output = Result<()>> + '_>>) -> Result<()> {
    machine::note_start();
    let mut log = start_log(settings)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|cause| Failure::Failed(format!("the runtime cannot start: {cause}")))?;
    runtime.block_on(async {
        let traces = Exporter::start(settings)?;
        let ended = tokio::select! {
            ended = process => ended,
            never = look_after_log(&mut log) => match never {},
        };
        if let Some(traces) = traces {
            traces.finish().await;
        }
        ended
    })
}

/// Reports dropped log lines, every [`LOG_PERIOD`].
async fn look_after_log(log: &mut Log) -> Infallible {
    let mut period = tokio::time::interval(LOG_PERIOD);
    loop {
        period.tick().await;
        metrics::counter!("covernote_log_lines_dropped_total").absolute(log.dropped_lines());
        log.tell();
    }
}

/// Starts the log as the settings say. Keep the returned value until the process ends.
///
/// # Errors
/// [`Failure::Configuration`] for an unknown format or level.
pub(super) fn start_log(settings: &Settings) -> Result<Log> {
    system::logs::start(&settings.log_level, &settings.log_format)
        .map_err(|fault| Failure::Configuration(fault.to_string()))
}

/// Signals that are caught instead of ending the process.
pub(super) struct Signals {
    hangups: Signal,
    terminations: Signal,
    read_settings: ReadSettings,
}

/// Function that reads the settings again.
pub(super) type ReadSettings = Box<dyn Fn() -> Result<Settings> + Send>;

impl Signals {
    /// Catches signals from now on. At SIGHUP, `read_settings` reads the settings.
    pub(super) fn listen(read_settings: ReadSettings) -> Result<Self> {
        Ok(Signals {
            read_settings,
            hangups: signals(SignalKind::hangup())?,
            terminations: signals(SignalKind::terminate())?,
        })
    }
}

/// Starts the background tasks of a process. The first future completes when the process is asked to stop or
/// must stop. The second completes when the workers have stopped and have handed back their jobs.
pub(super) fn start_background_tasks(
    service: &Arc<Service>,
    connectors: Arc<HttpConnectors>,
    tls: Option<Arc<Tls>>,
    settings: &Settings,
    signals: Signals,
) -> (impl Future<Output = ()> + use<>, impl Future<Output = ()> + use<>) {
    let Signals { hangups, terminations, read_settings } = signals;
    let folder = settings.catalogue.clone();
    tokio::spawn(refresh_directory(service.clone(), connectors.clone()));
    tokio::spawn(forget_old_records(service.clone()));
    tokio::spawn(end_dead_imports(service.clone()));
    tokio::spawn(remove_outdated_records(service.clone()));
    tokio::spawn(watch_deposits(service.clone()));
    tokio::spawn(watch_waiting(service.clone()));
    tokio::spawn(machine::watch(service.clone(), !settings.metrics_listen.is_empty()));
    tokio::spawn(follow_calendar(service.clone()));
    tokio::spawn(keep_requests(service.clone()));
    if let Some(tls) = tls.clone() {
        tokio::spawn(follow_certificate(tls));
    }
    tokio::spawn(reload_on_hangup(service.clone(), connectors, tls, folder, (hangups, read_settings)));
    let (stop_working, stopped) = oneshot::channel::<()>();
    let workers = tokio::spawn(Arc::clone(&service.workers).work(settings.workers, async {
        let _ = stopped.await;
    }));
    let (stop_delivering, stopped) = oneshot::channel::<()>();
    let deliveries = Arc::clone(&service.deliveries).deliver(async {
        let _ = stopped.await;
    });
    // A server without workers leaves deliveries to the processes that have some.
    let deliveries = (settings.workers > 0).then(|| tokio::spawn(deliveries));
    let (end_trail, ended) = oneshot::channel::<()>();
    let heads = tokio::spawn(follow_audit_trail(service.clone(), HeadWriter::new(settings), ended));
    let (store, log) = (service.clone(), service.clone());
    let stopping = async move {
        tokio::select! {
            () = stop_signal(terminations) => {}
            why = store.installation.store_is_lost() => tracing::error!("covernote stops because the store cannot be written: {why}"),
        }
        supervisor::stopping();
        // While requests in flight finish, no job is started, and running jobs are handed back.
        drop(stop_working);
        drop(stop_delivering);
    };
    let worked = async move {
        let _ = workers.await;
        if let Some(deliveries) = deliveries {
            let _ = deliveries.await;
        }
        if let Err(fault) = log.request_log.flush().await {
            tracing::warn!("the last requests could not be logged: {fault}");
        }
        drop(end_trail);
        let _ = heads.await;
    };
    (stopping, worked)
}

/// Catches a signal, so that it no longer ends the process.
fn signals(kind: SignalKind) -> Result<Signal> {
    signal(kind).map_err(|cause| Failure::Failed(format!("signals cannot be caught: {cause}")))
}

pub(super) fn address(name: &str, text: &str) -> Result<SocketAddr> {
    let resolved = text.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    resolved.ok_or_else(|| {
        Failure::Configuration(format!(
            "{name}: {text:?} is not an address with a port, such as 127.0.0.1:8080"
        ))
    })
}

pub(super) fn bind(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).map_err(|cause| Failure::Away(format!("cannot listen on {address}: {cause}")))
}

/// Completes at SIGTERM or Ctrl-C.
async fn stop_signal(mut terminations: Signal) {
    tokio::select! {
        _ = terminations.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    tracing::info!("covernote stops: requests in flight finish");
}

/// Periodically reads partners, keys, used tokens and the published catalogue. While the store is
/// unavailable, the process uses what it read last.
async fn refresh_directory(service: Arc<Service>, connectors: Arc<HttpConnectors>) {
    let mut period = tokio::time::interval(DIRECTORY_PERIOD);
    loop {
        period.tick().await;
        if let Err(fault) = service.shared.directory.refresh().await {
            tracing::warn!("partners and keys could not be refreshed: {fault}");
        }
        if let Err(fault) = service.shared.used_tokens.refresh().await {
            tracing::warn!("used tokens could not be refreshed: {fault}");
        }
        match service.shared.catalogues.announced().await {
            Ok(None) => {}
            Ok(Some(catalogue)) => match validate_insurers(&connectors, &catalogue) {
                Ok(()) => {
                    let hash = catalogue.hash();
                    match service.shared.catalogues.run_kept(catalogue).await {
                        Ok(()) => {
                            tracing::info!(catalogue.hash = %hash, "the catalogue was replaced by the published catalogue")
                        }
                        Err(fault) => tracing::error!("the catalogue was not replaced: {fault}"),
                    }
                }
                Err(faults) => tracing::error!("the published catalogue cannot be used here: {faults}"),
            },
            Err(fault) => tracing::warn!("the published catalogue could not be read: {fault}"),
        }
    }
}

/// Removes what interrupted imports have left.
async fn end_dead_imports(service: Arc<Service>) {
    let mut period = tokio::time::interval(LEFTOVER_PERIOD);
    loop {
        period.tick().await;
        if let Err(fault) = service.imports.end_dead().await {
            tracing::warn!("the records of an interrupted import could not be removed: {fault}");
        }
    }
}

/// Removes stored responses and abandoned journeys after 24 hours, incomplete uploads, events after 30 days,
/// and quotes after `quotes_kept_days`. Also encrypts bank references that earlier versions stored
/// unencrypted, and creates partitions for future months.
async fn forget_old_records(service: Arc<Service>) {
    let mut period = tokio::time::interval(FORGET_PERIOD);
    loop {
        period.tick().await;
        match service.journeys.forget_old().await {
            Ok(0) => {}
            Ok(count) => tracing::info!(
                journeys = count,
                "{count} journeys were removed: their customers did not come back"
            ),
            Err(fault) => tracing::warn!("old journeys could not be removed: {fault}"),
        }
        match service.premiums.end_unpaid().await {
            Ok(0) => {}
            Ok(count) => {
                tracing::info!("{count} accepted proposals were rejected: they were not paid in time")
            }
            Err(fault) => tracing::warn!("unpaid acceptances could not be ended: {fault}"),
        }
        if let Err(fault) = service.team.forget_old().await {
            tracing::warn!("old sessions and approvals of operators could not be removed: {fault}");
        }
        if let Err(fault) = service.work_items.forget().await {
            tracing::warn!("old notes about tasks could not be removed: {fault}");
        }
        match service.shared.idempotency.forget_old().await {
            Ok(0) => {}
            Ok(count) => {
                tracing::info!(answers = count, "{count} stored responses were removed after 24 hours")
            }
            Err(fault) => tracing::warn!("old stored responses could not be removed: {fault}"),
        }
        match service.claim_papers.forget_unfinished().await {
            Ok(0) => {}
            Ok(count) => {
                tracing::info!(
                    papers = count,
                    "{count} documents of claims were removed: their uploads were incomplete"
                )
            }
            Err(fault) => tracing::warn!("incomplete uploads of documents could not be removed: {fault}"),
        }
        match service.request_log.forget_old().await {
            Ok(0) => {}
            Ok(count) => tracing::info!(batches = count, "{count} batches of logged requests were removed"),
            Err(fault) => tracing::warn!("old logged requests could not be removed: {fault}"),
        }
        match service.events.forget_old().await {
            Ok(false) => {}
            Ok(true) => tracing::info!("events older than 30 days were removed"),
            Err(fault) => tracing::warn!("old events could not be removed: {fault}"),
        }
        match service.embedded_quotes.forget_old().await {
            Ok(false) => {}
            Ok(true) => tracing::info!("quotes older than quotes_kept_days were removed"),
            Err(fault) => tracing::warn!("old quotes could not be removed: {fault}"),
        }
        match service.keys.seal_references().await {
            Ok(0) => {}
            Ok(count) => tracing::info!("{count} bank references of an earlier version were encrypted"),
            Err(fault) => {
                tracing::warn!("bank references of an earlier version could not be encrypted: {fault}")
            }
        }
        match service.keys.prove_rows().await {
            Ok(0) => {}
            Ok(count) => tracing::info!("{count} rows of an earlier version are proven"),
            Err(fault) => tracing::warn!("rows of an earlier version could not be proven: {fault}"),
        }
        match service.persons.index_people().await {
            Ok(0) => {}
            Ok(count) => tracing::info!("the people of {count} records of an earlier version are indexed"),
            Err(fault) => tracing::warn!("the people of older records could not be indexed: {fault}"),
        }
        if let Err(fault) = service.installation.make_months().await {
            tracing::warn!("the partitions of future months could not be created: {fault}");
        }
    }
}

/// Removes records whose retention has ended, once a day.
async fn remove_outdated_records(service: Arc<Service>) {
    let mut period = tokio::time::interval(REMOVAL_PERIOD);
    loop {
        period.tick().await;
        match service.retention.remove_old(Pace::Background).await {
            Ok(report) => {
                for (kind, number) in report.removed {
                    tracing::info!("{number} records were removed because their retention has ended: {kind}");
                }
            }
            Err(fault) => tracing::warn!("records whose retention has ended could not be removed: {fault}"),
        }
    }
}

/// Writes partners' requests to the request log, each second.
async fn keep_requests(service: Arc<Service>) {
    let mut period = tokio::time::interval(service::partner::request_log::FLUSH_PERIOD);
    period.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        period.tick().await;
        if let Err(fault) = service.request_log.flush().await {
            tracing::warn!("partners' requests could not be logged: {fault}");
        }
    }
}

/// Sends partners the events that a date causes: reminders, ends and lapses of policies.
async fn follow_calendar(service: Arc<Service>) {
    let mut period = tokio::time::interval(CALENDAR_PERIOD);
    loop {
        period.tick().await;
        let told = service.calendar.tell_all().await;
        if told > 0 {
            tracing::info!(events = told, "{told} events that a date causes were created for partners");
        }
    }
}

/// Writes signed heads of the audit trail while it grows, and when the process ends.
async fn follow_audit_trail(service: Arc<Service>, mut heads: HeadWriter, ended: oneshot::Receiver<()>) {
    let mut period = tokio::time::interval(HEAD_PERIOD);
    let mut ended = pin!(ended);
    loop {
        let is_last = tokio::select! {
            _ = period.tick() => false,
            _ = &mut ended => true,
        };
        if let Err(failure) = heads.write(&service).await {
            tracing::warn!("the signed heads of the audit trail could not be written: {failure}");
        }
        if is_last {
            return;
        }
    }
}

/// Checks the balances of deposits, and opens the deposits that the catalogue names.
async fn watch_deposits(service: Arc<Service>) {
    let mut period = tokio::time::interval(DEPOSIT_PERIOD);
    loop {
        period.tick().await;
        if let Err(fault) = service.deposits.watch().await {
            tracing::warn!("deposits could not be checked: {fault}");
        }
    }
}

async fn watch_waiting(service: Arc<Service>) {
    let mut period = tokio::time::interval(WAITING_PERIOD);
    loop {
        period.tick().await;
        if let Err(fault) = service.waiting.watch().await {
            tracing::warn!("the work that waits for a person could not be checked: {fault}");
        }
    }
}

/// Reads the TLS certificate again whenever its files have changed.
async fn follow_certificate(tls: Arc<Tls>) {
    let mut period = tokio::time::interval(CERTIFICATE_PERIOD);
    loop {
        period.tick().await;
        reload_certificate(&tls);
    }
}

/// Reads the TLS certificate and its key. Faulty files change nothing.
fn reload_certificate(tls: &Tls) {
    match tls.reload() {
        Ok(false) => {}
        Ok(true) => tracing::info!("the TLS certificate was replaced"),
        Err(fault) => tracing::error!("the TLS certificate was not replaced: {fault}"),
    }
}

/// At each SIGHUP, reloads the log level, the TLS certificate and the catalogue, in this order. If one is
/// faulty, its old value stays, and the others are still reloaded.
async fn reload_on_hangup(
    service: Arc<Service>,
    connectors: Arc<HttpConnectors>,
    tls: Option<Arc<Tls>>,
    folder: String,
    (mut hangups, read_settings): (Signal, ReadSettings),
) {
    let set_level = |settings: Settings| {
        let level = settings.log_level;
        system::logs::set_level(&level)
            .map(|()| level)
            .map_err(|fault| Failure::Configuration(fault.to_string()))
    };
    while hangups.recv().await.is_some() {
        match read_settings().and_then(set_level) {
            Ok(level) => tracing::info!("the log level is {level}"),
            Err(fault) => tracing::error!("the log level was not changed: {fault}"),
        }
        tls.iter().for_each(|tls| reload_certificate(tls));
        let loaded = load_catalogue(&folder)
            .and_then(|version| validate_insurers(&connectors, &version.catalogue).map(|()| version));
        let version = match loaded {
            Ok(version) => version,
            Err(faults) => {
                tracing::error!("the catalogue was not replaced: {faults}");
                continue;
            }
        };
        let hash = version.catalogue.hash();
        match service.shared.catalogues.run(version).await {
            Ok(true) => tracing::info!(catalogue.hash = %hash, "the catalogue was replaced"),
            Ok(false) => warn_of_unapproved(&folder, hash),
            Err(fault) => tracing::error!("the catalogue was not replaced: {fault}"),
        }
    }
}

/// Starts to collect and serve metrics, if the settings enable them. The same listener serves the probes; set
/// their service in the returned value.
pub(super) fn start_metrics(settings: &Settings) -> Result<Probed> {
    let probed = Probed::default();
    if settings.metrics_listen.is_empty() {
        return Ok(probed);
    }
    let listener = bind(address("metrics_listen", &settings.metrics_listen)?)?;
    let failed = |fault: metrics_exporter_prometheus::BuildError| {
        Failure::Failed(format!("metrics cannot start: {fault}"))
    };
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), SECONDS)
        .and_then(|builder| builder.set_buckets_for_metric(Matcher::Suffix("_size".into()), SIZES))
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(failed)?;
    machine::describe_metrics();
    metrics::gauge!("covernote_build_info", "version" => VERSION).set(1.0);
    tokio::spawn(serve_metrics(listener, handle, settings.clone(), probed.clone()));
    Ok(probed)
}

async fn serve_metrics(listener: TcpListener, handle: PrometheusHandle, settings: Settings, probed: Probed) {
    let limits = web_limits(&settings);
    let runtime = tokio::runtime::Handle::current().metrics();
    let render = Arc::new(move || {
        machine::measure(&runtime, &settings);
        handle.run_upkeep();
        handle.render()
    });
    let served = web::server::listen(web::api::metrics(render, probed), limits, listener, None);
    if let Err(cause) = served.await {
        tracing::error!("metrics are no longer served: {cause}");
    }
}
