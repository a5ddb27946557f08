//! `covernote serve`: the API, until told to stop.

use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use insurers::HttpConnectors;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use service::Service;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;
use web::server::Handle;
use web::{App, JourneySite};

use crate::cli::Serve;
use crate::demo;
use crate::failure::Failure;
use crate::settings::Settings;
use crate::wiring::{connectors, judge_insurers, load_catalogue, make_folder, open_service_with, web_limits};
use crate::{lock, logs, output};

/// How often partners and keys are looked at: a change is known everywhere within 5 seconds.
const DIRECTORY_PERIOD: Duration = Duration::from_secs(2);

/// How often answers whose day is over are dropped.
const ANSWERS_PERIOD: Duration = Duration::from_secs(600);

/// Bounds of the latency histograms, in seconds.
const SECONDS: &[f64] =
    &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// Bounds of the group sizes.
const SIZES: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

pub(super) fn run(serve: &Serve) -> Result<(), Failure> {
    let mut settings = Settings::read(&serve.place, Some(serve), Settings::environment())?;
    if serve.demo && serve.place.data.is_none() {
        settings.data = demo::FOLDER.into();
    }
    let address = address("listen", &settings.listen)?;
    if serve.demo {
        demo::judge_address(address)?;
    }
    logs::start(&settings)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|cause| Failure::Failed(format!("the runtime cannot start: {cause}")))?;
    runtime.block_on(run_until_stopped(serve, settings, address))
}

async fn run_until_stopped(
    serve: &Serve,
    mut settings: Settings,
    address: SocketAddr,
) -> Result<(), Failure> {
    // Heard before anybody can know this process by the lock's file: an early signal must not end it.
    let hangups = signals(SignalKind::hangup())?;
    let terminations = signals(SignalKind::terminate())?;
    let folder = Path::new(&settings.data).to_path_buf();
    make_folder(&folder)?;
    let held = lock::hold(&folder)?;
    if serve.demo {
        demo::mark(&folder)?;
    } else {
        demo::refuse_marked(&folder)?;
    }
    let listener = bind(address)?;
    // With port 0 the system chose one; what partners call must name it.
    let bound = listener
        .local_addr()
        .map_err(|cause| Failure::Failed(format!("the listener has no address: {cause}")))?;
    settings.listen = bound.to_string();
    settings.base_url = settings.base_address();
    raise_descriptor_limit();
    let metrics = start_metrics(&settings)?;
    let connectors = Arc::new(connectors(&settings));
    let catalogue = load_catalogue(&settings.catalogue)?;
    judge_insurers(&connectors, &catalogue.catalogue)?;
    let service = Arc::new(open_service_with(&settings, connectors.clone(), catalogue).await?);
    if serve.demo {
        demo::add_partner(&service, &settings.base_address()).await?;
        demo::add_records(&service).await?;
    }
    let journey = journey(&settings, serve.demo)?;
    tokio::spawn(keep_directory(service.clone()));
    tokio::spawn(keep_answers(service.clone()));
    service.remember_base_url().await?;
    tokio::spawn(reload_on_hangup(service.clone(), connectors, settings.catalogue.clone(), hangups));
    if let Some((listener, handle)) = metrics {
        tokio::spawn(serve_metrics(listener, handle, web_limits(&settings)));
    }
    let base = settings.base_address();
    tracing::info!(server.address = %bound, base_url = base, "covernote listens on {bound}");
    if serve.demo {
        output::say(&demo::greeting(&base));
    }
    // This process holds the folder's lock: whoever held a job before is gone.
    let freed = service.take_over_jobs().await?;
    if freed > 0 {
        tracing::info!(jobs = freed, "jobs of a process that is gone, gone on with: {freed}");
    }
    let (stop_working, stopped) = oneshot::channel::<()>();
    let workers = tokio::spawn(Arc::clone(&service).work(settings.workers, async {
        let _ = stopped.await;
    }));
    let app = App::new(service.clone(), web_limits(&settings), journey);
    let stopping = async {
        told_to_stop(terminations).await;
        // No new job is begun while requests in flight finish; those begun are handed back.
        drop(stop_working);
    };
    let served = web::server::serve(app, listener, stopping).await;
    let _ = workers.await;
    served.map_err(|cause| Failure::Failed(format!("the server stopped: {cause}")))?;
    service.close().await?;
    lock::leave(held);
    tracing::info!("covernote has stopped");
    Ok(())
}

/// The hosted journey at its own address, else at the one that partners call. Where that one is plain http beyond this
/// machine, as behind a proxy nobody told us of, there is none.
fn journey(settings: &Settings, demo: bool) -> Result<Option<JourneySite>, Failure> {
    let said = !settings.journey_url.is_empty();
    let address = if said { settings.journey_url.clone() } else { settings.base_address() };
    match JourneySite::at(&address) {
        Ok(mut site) => {
            site.demo = demo.then(demo::credentials);
            Ok(Some(site))
        }
        Err(why) if said => Err(Failure::Configuration(format!("journey_url: {why}"))),
        Err(why) => {
            tracing::warn!("there is no journey here: {why}; set journey_url, or an https base_url");
            Ok(None)
        }
    }
}

/// From now on the signal no longer ends the process: it waits to be heard.
fn signals(kind: SignalKind) -> Result<Signal, Failure> {
    signal(kind).map_err(|cause| Failure::Failed(format!("signals cannot be waited for: {cause}")))
}

/// Takes as many file descriptors as the system allows: each connection needs one.
fn raise_descriptor_limit() {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    let raised = rustix::process::Rlimit { current: limit.maximum, maximum: limit.maximum };
    if let Err(cause) = rustix::process::setrlimit(rustix::process::Resource::Nofile, raised) {
        tracing::warn!("the limit of file descriptors stays at {:?}: {cause}", limit.current);
    }
}

pub(super) fn address(name: &str, text: &str) -> Result<SocketAddr, Failure> {
    let resolved = text.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    resolved.ok_or_else(|| {
        Failure::Configuration(format!("{name}: {text:?} is no address with a port, such as 127.0.0.1:8080"))
    })
}

fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).map_err(|cause| Failure::Away(format!("cannot listen on {address}: {cause}")))
}

/// Asked to stop by the system or the keyboard.
async fn told_to_stop(mut terminations: Signal) {
    tokio::select! {
        _ = terminations.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    tracing::info!("covernote was told to stop: requests in flight finish");
}

/// Looks at partners and keys again and again. While the store is away, what was known stays in force.
async fn keep_directory(service: Arc<Service>) {
    let mut period = tokio::time::interval(DIRECTORY_PERIOD);
    loop {
        period.tick().await;
        if let Err(fault) = service.refresh_directory().await {
            tracing::warn!("partners and keys could not be read again: {fault}");
        }
    }
}

/// Drops kept answers whose day is over, and journeys whose customers were not seen for a day.
async fn keep_answers(service: Arc<Service>) {
    let mut period = tokio::time::interval(ANSWERS_PERIOD);
    loop {
        period.tick().await;
        match service.forget_old_journeys().await {
            Ok(0) => {}
            Ok(count) => tracing::info!(journeys = count, "{count} journeys were dropped: nobody came back"),
            Err(fault) => tracing::warn!("old journeys could not be dropped: {fault}"),
        }
        match service.forget_old_answers().await {
            Ok(0) => {}
            Ok(count) => {
                tracing::info!(answers = count, "{count} kept answers were dropped: their day is over")
            }
            Err(fault) => tracing::warn!("old answers could not be dropped: {fault}"),
        }
    }
}

/// Loads the catalogue again on SIGHUP. A faulty one is refused whole and the running one stays.
async fn reload_on_hangup(
    service: Arc<Service>,
    connectors: Arc<HttpConnectors>,
    folder: String,
    mut hangups: Signal,
) {
    while hangups.recv().await.is_some() {
        let loaded = load_catalogue(&folder)
            .and_then(|version| judge_insurers(&connectors, &version.catalogue).map(|()| version));
        let version = match loaded {
            Ok(version) => version,
            Err(faults) => {
                tracing::error!("the catalogue was not replaced: {faults}");
                continue;
            }
        };
        let hash = version.catalogue.hash();
        match service.run_catalogue(version).await {
            Ok(()) => tracing::info!(catalogue.hash = %hash, "the catalogue was replaced"),
            Err(fault) => tracing::error!("the catalogue was not replaced: {fault}"),
        }
    }
}

/// Starts to measure, where somebody is to look.
fn start_metrics(settings: &Settings) -> Result<Option<(TcpListener, PrometheusHandle)>, Failure> {
    if settings.metrics_listen.is_empty() {
        return Ok(None);
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
    metrics::gauge!("covernote_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    Ok(Some((listener, handle)))
}

async fn serve_metrics(listener: TcpListener, handle: PrometheusHandle, limits: web::Limits) {
    let render = Arc::new(move || {
        handle.run_upkeep();
        handle.render()
    });
    let served = web::server::listen(web::api::metrics(render), &limits, listener, Handle::new());
    if let Err(cause) = served.await {
        tracing::error!("metrics are no longer served: {cause}");
    }
}
