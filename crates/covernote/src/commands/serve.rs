//! `covernote serve`: a process that serves the API.

use std::fs::File;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use domain::date::day_of;
use domain::money::Rupees;
use service::Service;
use service::clock::Clock;
use service::outside::payment_gateway::PaymentGateway;
use web::FictionalGateway;
use web::server::Tls;
use web::{App, JourneySite};

use super::process::{self, ReadSettings, Signals, address, bind};
use super::{console, demo, demo_work};
use crate::address::names_this_machine;
use crate::audit::AccessLog;
use crate::cli::Serve;
use crate::demo_folder;
use crate::failure::{Failure, Result};
use crate::settings::Settings;
use crate::wiring::{
    Engine, SystemClock, connectors, engine, lacks_gateway, load_catalogue, make_folder, open_service_with,
    operator, tls, validate_insurers, web_limits,
};
use crate::{lock, machine, operator_socket, output, supervisor};

pub(super) fn run(serve: Serve) -> Result<()> {
    let mut settings = Settings::read(&serve.flags, serve.flag_values(), Settings::environment())?;
    if serve.demo && serve.flags.data.is_none() {
        settings.data = demo::FOLDER.into();
    }
    let address = address("listen", &settings.listen)?;
    let tls = tls(&settings)?;
    require_operator(serve.demo, &settings, address)?;
    let engine = engine(&settings)?;
    if serve.demo {
        demo::validate_address(address)?;
        demo::validate_engine(&engine)?;
    }
    let start = Start { demo: serve.demo, with_work: !serve.empty };
    let own = serve.flag_values();
    let again = Box::new(move || Settings::read(&serve.flags, own.clone(), Settings::environment()));
    process::run(&settings.clone(), run_until_stopped(start, settings, engine, tls, address, again))
}

/// How a server starts.
#[derive(Clone, Copy)]
struct Start {
    demo: bool,
    /// Whether a new demo has work for the operator's team.
    with_work: bool,
}

async fn run_until_stopped(
    Start { demo, with_work }: Start,
    mut settings: Settings,
    engine: Engine,
    tls: Option<Arc<Tls>>,
    address: SocketAddr,
    again: ReadSettings,
) -> Result<()> {
    // Signals are caught before the lock's file has this process number: an early signal must not end the
    // process.
    let signals = Signals::listen(again)?;
    let held = take_folder(&settings, &engine, demo)?;
    let listener = bind(address)?;
    // With port 0 the system chooses a port, and the base URL must have it.
    let bound = listener
        .local_addr()
        .map_err(|cause| Failure::Failed(format!("the listener has no address: {cause}")))?;
    settings.listen = bound.to_string();
    settings.base_url = settings.base_address();
    machine::raise_file_limit();
    let probed = process::start_metrics(&settings)?;
    let connectors = Arc::new(connectors(&settings));
    let catalogue = load_catalogue(&settings.catalogue)?;
    validate_insurers(&connectors, &catalogue.catalogue)?;
    let gateway = demo.then(|| demo::gateway(&settings.base_address()));
    let paid_by = gateway.clone().map(|gateway| gateway as Arc<dyn PaymentGateway>);
    let lack = lacks_gateway(&catalogue.catalogue).filter(|_| paid_by.is_none());
    let service = Arc::new(open_service_with(&settings, connectors.clone(), catalogue, paid_by).await?);
    if let Some(lack) = lack {
        tracing::warn!("{lack}");
    }
    let (mut is_new_demo, mut link) = (false, String::new());
    if demo {
        link = service.team.demo_link().await?.text;
        is_new_demo = demo::add_partner(&service, &settings.base_address()).await?;
        demo::add_records(&service).await?;
    }
    let journey = journey(&settings, gateway)?;
    service.installation.remember_base_url().await?;
    begin_approval_limit(&service, &settings).await?;
    let base = settings.base_address();
    warn_of_clear_text(&settings, bound);
    console::serve(service.clone(), &mut settings, tls.clone(), demo)?;
    let operators = operator_socket::serve(service.clone(), &settings).await?;
    tracing::info!(server.address = %bound, base_url = base, "covernote listens on {bound}");
    if demo {
        let greeting = demo::greeting(&base, &format!("{}/demo/{link}", settings.console_address()));
        let (service, at) = (service.clone(), format!("http://{bound}"));
        tokio::spawn(async move {
            if let Err(why) = match is_new_demo && with_work {
                true => demo_work::make(&service, &at).await,
                false => Ok(()),
            } {
                tracing::warn!("the demo has no work for the team: {why}");
            }
            output::message(&greeting);
        });
    }
    if held.is_some() {
        // This process holds the folder's lock, so every process that held a job is gone.
        service.deliveries.take_over().await?;
        let freed = service.workers.take_over().await?;
        if freed > 0 {
            tracing::info!(jobs = freed, "{freed} jobs of an earlier process continue now");
        }
    }
    let (stopping, worked) =
        process::start_background_tasks(&service, connectors, tls.clone(), &settings, signals);
    let app = App::new(service.clone(), web_limits(&settings), journey);
    let trail = AccessLog::begin(&settings)?.map(Arc::new);
    if let Some(trail) = &trail {
        app.audit_to(trail.clone());
    }
    probed.watch_server(&app);
    supervisor::ready(&format!("Serves {base}"));
    let served = web::server::serve(app, listener, tls, stopping).await;
    if let Some(operators) = operators {
        operators.finish().await;
    }
    worked.await;
    if let Some(trail) = trail {
        trail.finish();
    }
    served.map_err(|cause| Failure::Failed(format!("the server stopped: {cause}")))?;
    service.installation.close().await?;
    if let Some(held) = held {
        lock::release(held);
    }
    tracing::info!("covernote has stopped");
    Ok(())
}

/// Refuses to serve other machines without `operator.toml`, which says who sells the insurance. On loopback,
/// only warns.
fn require_operator(demo: bool, settings: &Settings, address: SocketAddr) -> Result<()> {
    let file = settings.operator_file();
    match operator(settings)? {
        Some(operator) => {
            let today = day_of(SystemClock.now());
            if operator.licence_has_ended(today) {
                let (name, ended) = (operator.name.english(), operator.licence_until);
                let effect = match operator.may_sell(today) {
                    true => "; sales go on for its grace days",
                    false => ": nothing is sold",
                };
                tracing::warn!("the licence of {name} ended on {ended}{effect}");
            }
        }
        None if demo => {}
        None if address.ip().is_loopback() => tracing::warn!(
            "pages and certificates do not say who sells: write {} ('covernote operator example' prints an example). Until then, only this machine is served",
            file.display()
        ),
        None => {
            return Err(Failure::Configuration(format!(
                "operator: pages and certificates must say who sells the insurance before other machines can reach them: write {} ('covernote operator example' prints an example)",
                file.display()
            )));
        }
    }
    Ok(())
}

/// Creates the data folder and checks it. On SQLite the folder is locked until the returned file is dropped.
/// On PostgreSQL it is not locked, because any number of processes may read the keyring and secrets in it.
fn take_folder(settings: &Settings, engine: &Engine, demo: bool) -> Result<Option<File>> {
    let folder = Path::new(&settings.data);
    make_folder(folder)?;
    let held = match engine {
        Engine::Sqlite => Some(lock::acquire(folder)?),
        Engine::Postgres(_) => None,
    };
    if demo {
        demo_folder::mark(folder)?;
    } else {
        demo_folder::refuse_marked(folder)?;
    }
    Ok(held)
}

/// The hosted journey at its own address, else at the base URL. `None` if the base URL is plain http of
/// another machine, for example behind a proxy that the settings do not name. A demo passes its payment
/// gateway.
fn journey(settings: &Settings, gateway: Option<Arc<FictionalGateway>>) -> Result<Option<JourneySite>> {
    let configured = !settings.journey_url.is_empty();
    let address = if configured { settings.journey_url.clone() } else { settings.base_address() };
    match JourneySite::at(&address) {
        Ok(mut site) => {
            site.demo = gateway.map(demo::credentials);
            Ok(Some(site))
        }
        Err(why) if configured => Err(Failure::Configuration(format!("journey_url: {why}"))),
        Err(why) => {
            tracing::warn!("the hosted journey is not served: {why}; set journey_url or an https base_url");
            Ok(None)
        }
    }
}

/// Warns if credentials and personal data would cross a network unencrypted.
fn warn_of_clear_text(settings: &Settings, bound: SocketAddr) {
    if !settings.has_tls() && !bound.ip().is_loopback() {
        tracing::warn!(
            server.address = %bound,
            "requests to {bound} are not encrypted: set tls_certificate and tls_key, or let only a proxy that speaks TLS reach it"
        );
    }
    let base = settings.base_address();
    if base.starts_with("http://") && !names_this_machine(&base) {
        tracing::warn!(
            base_url = base,
            "partners get an address without encryption, {base}: set an https base_url"
        );
    }
}

/// Stores the setting `approval_above` at the first start. Later, only an approved act changes the stored amount.
async fn begin_approval_limit(service: &Service, settings: &Settings) -> Result<()> {
    let set = Rupees::whole(settings.approval_above.into());
    match service.installation.approval_above().await? {
        None => service.installation.set_approval_above(settings.approval_above).await?,
        Some(there) if there != set => tracing::warn!(
            "payments above {} need a second operator, as the store says. The setting approval_above ({}) is not used: change the amount with 'covernote approval limit'",
            there.grouped(),
            set.grouped(),
        ),
        Some(_) => {}
    }
    Ok(())
}
