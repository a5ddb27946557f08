//! Wiring: connects the store, the catalogue and the service with the system's clock and randomness.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use domain::operator::Operator;
use domain::premium::PremiumRoute;
use domain::quote::CatalogueHash;
use insurers::HttpConnectors;
use rating::{Catalogue, Files};
use service::Service;
use service::catalogue::{self, CatalogueChoice, CatalogueReview, Version};
use service::clock::{Clock, Random};
use service::insurer::{Connectors, NoConnectors};
use service::outside::paper_scanner::PaperScanner;
use service::outside::payment_gateway::PaymentGateway;
use service::person::erasure::repeat_erasures;
use service::retention::Retention;
use service::shared::claim_limits::ClaimLimits;
use service::storage::{Fact, Storage};
use storage::postgres::Database;
use storage::{Opening, Postgres, Sqlite};
pub use system::{OsRandom, SystemClock};
use webhooks::{AddressRules, HttpCarrier};

use crate::demo_folder;
use crate::erasure_journal::JournalFile;
use crate::failure::{Failure, Result, catalogue_faults};
use crate::machine::most_connections;
use crate::operator_file;
use crate::scanner::CommandScanner;
use crate::settings::Settings;

/// Creates the data folder for its owner only. All files that this process creates later are for its owner
/// only, too.
///
/// # Errors
/// [`Failure::Away`] if the folder cannot be created.
pub fn make_folder(folder: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let is_new = !folder.exists();
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    let made = made.and_then(|()| if is_new { storage::give_folder(folder) } else { Ok(()) });
    made.map_err(|cause| {
        Failure::Away(format!("the data folder {} cannot be created: {cause}", folder.display()))
    })
}

/// Reads the files of the catalogue in the settings: a folder, or the sample.
///
/// # Errors
/// [`Failure::Configuration`] if the folder cannot be read.
pub fn catalogue_files(folder: &str) -> Result<Files> {
    if folder.is_empty() {
        return Ok(Files::sample());
    }
    Files::read(Path::new(folder))
        .map_err(|cause| Failure::Configuration(format!("the catalogue {folder} cannot be read: {cause}")))
}

/// Loads the catalogue in the settings.
///
/// # Errors
/// [`Failure::Configuration`] with every fault.
pub fn load_catalogue(folder: &str) -> Result<Version> {
    let files = catalogue_files(folder)?;
    Version::of(&files).map_err(|faults| catalogue_faults(shown(folder), &faults))
}

/// Sentence about the products whose premium is paid on a page of this service, for a server without a payment
/// gateway. `None` if there are none.
pub fn lacks_gateway(catalogue: &Catalogue) -> Option<String> {
    let here = catalogue.products().filter(|product| product.premium.route() == PremiumRoute::Here);
    let names: Vec<&str> = here.map(|product| product.name.as_str()).collect();
    let words =
        "their premium is paid on a page here, which needs a payment gateway; without one they are not sold";
    (!names.is_empty()).then(|| format!("{}: {words}", names.join(", ")))
}

/// Name of a catalogue folder in messages.
fn shown(folder: &str) -> &str {
    if folder.is_empty() { "(the sample)" } else { folder }
}

/// Warns that the catalogue in the settings does not run, because the team did not approve it.
pub fn warn_of_unapproved(folder: &str, hash: CatalogueHash) {
    tracing::warn!(
        catalogue.hash = %hash,
        "the catalogue {} differs from the catalogue that the team approved, which runs: 'covernote catalogue reload' publishes it with approval",
        shown(folder)
    );
}

/// The storage engine.
pub enum Engine {
    /// The database is a file in the data folder.
    Sqlite,
    Postgres(Database),
}

/// The storage engine in the settings.
///
/// # Errors
/// [`Failure::Configuration`] if the setting names no engine.
pub fn engine(settings: &Settings) -> Result<Engine> {
    match settings.database.as_str() {
        "sqlite" => Ok(Engine::Sqlite),
        address if storage::postgres::is_postgres(address) => Ok(Engine::Postgres(Database {
            address: address.to_owned(),
            connections: settings.database_connections,
            pooler: settings.database_pooler == "transaction",
            reads_standbys: settings.database_reads == "standby",
            unsafe_is_fine: settings.database_unsafe == "accept",
        })),
        // The message does not repeat the setting, which may have a password in it.
        _ => Err(Failure::Configuration(
            "database: must be sqlite or an address such as postgres://user:password@host:5432/database"
                .into(),
        )),
    }
}

/// Whether the store exists.
///
/// # Errors
/// Any [`Failure`] of the database that the settings name.
pub async fn has_store(settings: &Settings) -> Result<bool> {
    match engine(settings)? {
        Engine::Sqlite => Ok(Path::new(&settings.data).join(storage::sqlite::FILE).exists()),
        Engine::Postgres(database) => Ok(Postgres::is_there(&database).await?),
    }
}

/// Refuses to continue if no store exists yet: a command that only reads must not create one.
///
/// # Errors
/// [`Failure::Away`] if no store exists; any other [`Failure`] of the database that the settings name.
pub async fn needs_store(settings: &Settings) -> Result<()> {
    if has_store(settings).await? {
        return Ok(());
    }
    let folder = &settings.data;
    Err(Failure::Away(match engine(settings)? {
        Engine::Sqlite => format!(
            "there is no store in {folder}: create one with 'serve' or 'partner create', or name another folder with --data"
        ),
        Engine::Postgres(_) => {
            "there is no store in the database: create one with 'serve' or 'partner create'".to_owned()
        }
    }))
}

/// Opens the store in the settings for a command, or creates it.
///
/// # Errors
/// [`Failure::Configuration`] for an unknown engine, an unusable keyring, a database server that can lose
/// acknowledged writes, a newer schema, or another store than the expected one; [`Failure::Away`] for an
/// unusable folder, an unavailable database server, or an expected store that is not there.
pub async fn open_store(
    settings: &Settings,
    clock: Arc<dyn Clock>,
    random: &Arc<dyn Random>,
) -> Result<Arc<dyn Storage>> {
    open_store_as(Opened::ByCommand, settings, clock, random).await
}

/// Creates a new, empty store, even if files of an earlier store are left.
///
/// # Errors
/// The same errors as [`open_store`].
pub async fn create_store(settings: &Settings) -> Result<Arc<dyn Storage>> {
    let random: Arc<dyn Random> = Arc::new(OsRandom::default());
    open_store_as(Opened::New, settings, Arc::new(SystemClock), &random).await
}

/// For whom a store is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    ByServer,
    ByCommand,
    /// By a command that makes a new store.
    New,
}

/// Opens the store in the settings for a server or a command, or creates it.
///
/// # Errors
/// The same errors as [`open_store`].
async fn open_store_as(
    opened: Opened,
    settings: &Settings,
    clock: Arc<dyn Clock>,
    random: &Arc<dyn Random>,
) -> Result<Arc<dyn Storage>> {
    let engine = engine(settings)?;
    let folder = Path::new(&settings.data);
    make_folder(folder)?;
    let store_id = Some(settings.store_id.trim().to_owned()).filter(|id| !id.is_empty());
    let (is_server, makes_new) = (opened == Opened::ByServer, opened == Opened::New);
    let opening = Opening { keyring: settings.keyring_source(), store_id, is_server, makes_new };
    Ok(match engine {
        Engine::Sqlite => Sqlite::open_store(folder, opening, clock, random.clone())?,
        Engine::Postgres(database) => Postgres::open_store(database, opening, clock, random.clone()).await?,
    })
}

/// The connectors to insurers over HTTP.
pub fn connectors(settings: &Settings) -> HttpConnectors {
    let (clock, random) = (Arc::new(SystemClock), Arc::new(OsRandom::default()));
    HttpConnectors::new(settings.insurer_secrets_folder(), clock, random)
}

/// Refuses a catalogue if an insurer that is reached over HTTP cannot be used, for example because its secret
/// is missing.
///
/// # Errors
/// [`Failure::Configuration`] with one sentence for each such insurer.
pub fn validate_insurers(connectors: &HttpConnectors, catalogue: &Catalogue) -> Result<()> {
    connectors.validate(catalogue).map_err(|faults| Failure::Configuration(faults.join("\n")))
}

/// Whether a command needs the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogueUse {
    /// The command uses the catalogue of the store's servers.
    Needed,
    /// The command needs no catalogue. It works on partners, keys or imported records, for example.
    None,
}

/// Opens the service on the store in the settings, for a command. It uses the catalogue of the store's
/// servers, stores no other catalogue, and calls no insurer.
///
/// # Errors
/// Any [`Failure`] of the store; [`Failure::Configuration`] if the command needs a catalogue and no server
/// has run on the store.
pub async fn open_service(settings: &Settings, needs: CatalogueUse) -> Result<Service> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let random: Arc<dyn Random> = Arc::new(OsRandom::default());
    let store = open_store(settings, clock.clone(), &random).await?;
    let catalogue = match (catalogue::running_on(store.as_ref()).await?, needs) {
        (Some(running), _) => running,
        (None, CatalogueUse::None) => Arc::new(Catalogue::empty()),
        (None, CatalogueUse::Needed) => {
            return Err(Failure::Configuration(
                "the store has no catalogue yet, because no server has run on it: start 'covernote serve' once with your catalogue, then repeat this command".into(),
            ));
        }
    };
    let choice = CatalogueChoice::Running(catalogue);
    open_service_on(store, settings, (clock, random), Arc::new(NoConnectors), choice, None).await
}

/// Opens the service on the store in the settings, for a server with its own catalogue.
///
/// # Errors
/// Any [`Failure`] of the store or the catalogue.
pub async fn open_service_with(
    settings: &Settings,
    connectors: Arc<dyn Connectors>,
    catalogue: Version,
    gateway: Option<Arc<dyn PaymentGateway>>,
) -> Result<Service> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let random: Arc<dyn Random> = Arc::new(OsRandom::default());
    let store = open_store_as(Opened::ByServer, settings, clock.clone(), &random).await?;
    let service =
        open_service_on(store, settings, (clock, random), connectors, catalogue.into(), gateway).await?;
    if let Some(hash) = service.shared.catalogues.unapproved() {
        warn_of_unapproved(&settings.catalogue, hash);
    }
    Ok(service)
}

/// Opens the service on a store. The service's base URL is the one in the settings, else the one that the
/// last server stored. A policy that a command issues has this URL on it.
async fn open_service_on(
    store: Arc<dyn Storage>,
    settings: &Settings,
    (clock, random): (Arc<dyn Clock>, Arc<dyn Random>),
    connectors: Arc<dyn Connectors>,
    catalogue: CatalogueChoice,
    gateway: Option<Arc<dyn PaymentGateway>>,
) -> Result<Service> {
    let base_url = match settings.configured_base_url() {
        Some(configured) => configured,
        None => store.remembered(Fact::BaseUrl).await?.unwrap_or_else(|| settings.base_address()),
    };
    let settings = service_settings(settings, base_url, operator(settings)?);
    let settings = service::Settings { gateway, ..settings };
    let repeated = repeat_erasures(store.as_ref(), settings.erasures.as_ref(), false).await?;
    if repeated > 0 {
        tracing::warn!(
            "{repeated} erasures of personal data were repeated, because an older backup was restored or a process was killed"
        );
    }
    Ok(Service::open(store, clock, random, connectors, catalogue, settings).await?)
}

/// The company that runs this service, from the file that the settings name. A demo has the company of the
/// example. `None` if there is no file.
///
/// # Errors
/// [`Failure::Configuration`] with every fault of the file.
pub fn operator(settings: &Settings) -> Result<Option<Operator>> {
    let file = settings.operator_file();
    let found = operator_file::read(&file).map_err(|faults| {
        Failure::Configuration(format!("operator: {}: {}", file.display(), faults.join("; ")))
    })?;
    if found.is_none() && !settings.operator.is_empty() {
        return Err(Failure::Configuration(format!("operator: there is no file {}", file.display())));
    }
    let is_demo = demo_folder::is_marked(Path::new(&settings.data));
    Ok(found.or_else(|| is_demo.then(operator_file::example)))
}

/// A number of days as a duration. `None` for 0, which means for ever.
fn days(number: u32) -> Option<Duration> {
    (number > 0).then(|| Duration::from_hours(24 * u64::from(number)))
}

/// Settings of the service crate, derived from the settings of this program.
pub fn service_settings(
    settings: &Settings,
    base_url: String,
    operator: Option<Operator>,
) -> service::Settings {
    service::Settings {
        base_url: base_url.into(),
        operator: operator.map(Arc::new),
        gateway: None,
        carrier: Arc::new(HttpCarrier::new(webhook_rules(settings))),
        event_body: web::event::body,
        scanner: scanner_of(&settings.claim_scanner),
        claim_limits: ClaimLimits {
            claims_of_policy: settings.claims_per_policy,
            claims_of_day: settings.claims_per_day,
            papers_of_claim: settings.papers_per_claim,
            papers_of_day: settings.papers_per_day,
            mebibytes_of_claim: settings.paper_mib_per_claim,
            mebibytes_of_policy: settings.paper_mib_per_policy,
            mebibytes_of_day: settings.paper_mib_per_day,
        },
        reference_key: settings.reference_key.trim().into(),
        catalogue_review: match settings.catalogue_source.as_str() {
            "folder" => CatalogueReview::Folder,
            _ => CatalogueReview::Approval,
        },
        retention: Retention {
            quotes: days(settings.quotes_kept_days),
            health_quotes: days(settings.health_quotes_kept_days),
            unsold_proposals: days(settings.unsold_proposals_kept_days),
            policies: days(settings.policies_kept_days),
            complaints: days(settings.complaints_kept_days),
        },
        erasures: Arc::new(JournalFile::of(settings)),
        insurer_deadline: Duration::from_millis(settings.insurer_deadline_ms),
        recommendation_deadline: Duration::from_millis(settings.recommendation_deadline_ms),
    }
}

/// Addresses to which events may be delivered. A demo may also deliver events to this machine, because it
/// serves no other.
fn webhook_rules(settings: &Settings) -> AddressRules {
    let opened = match demo_folder::is_marked(Path::new(&settings.data)) {
        true => format!("{},127.0.0.1,::1", settings.webhook_allow),
        false => settings.webhook_allow.clone(),
    };
    let opened = opened.split(',').filter(|network| !network.trim().is_empty());
    AddressRules::opening(opened).expect("checked with the settings")
}

/// Virus scanner configured by `claim_scanner`, if any.
fn scanner_of(command: &str) -> Option<Arc<dyn PaperScanner>> {
    (!command.trim().is_empty()).then(|| Arc::new(CommandScanner::new(command)) as Arc<dyn PaperScanner>)
}

/// TLS certificate and key, if the settings name them.
///
/// # Errors
/// [`Failure::Configuration`] that names the faulty file.
pub fn tls(settings: &Settings) -> Result<Option<Arc<web::server::Tls>>> {
    if !settings.has_tls() {
        return Ok(None);
    }
    let loaded = web::server::Tls::load(Path::new(&settings.tls_certificate), Path::new(&settings.tls_key));
    loaded.map(|tls| Some(Arc::new(tls))).map_err(|fault| Failure::Configuration(format!("TLS: {fault}")))
}

/// The limits of the HTTP server.
pub fn web_limits(settings: &Settings) -> web::Limits {
    web::Limits {
        body_deadline: Duration::from_millis(settings.body_deadline_ms),
        header_deadline: Duration::from_millis(settings.header_deadline_ms),
        request_deadline: Duration::from_millis(settings.request_deadline_ms),
        idle_deadline: Duration::from_millis(settings.idle_deadline_ms),
        write_deadline: Duration::from_millis(settings.write_deadline_ms),
        requests: settings.requests,
        connections: most_connections(settings.connections),
        connections_per_address: settings.connections_per_address,
        trusted_proxies: settings.trusted_proxies.parse().expect("judged when the settings were read"),
        ..web::Limits::default()
    }
}
