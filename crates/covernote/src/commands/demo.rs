//! The demo: its own data folder with a partner whose credentials are public.

use std::net::SocketAddr;
use std::sync::Arc;

use domain::access::Scopes;
use domain::id::{PartnerId, Uuid};
use domain::partner::TOKENS_PER_HOUR;
use service::partner::{Addresses, NewPartner, PartnerChange};
use service::storage::StorageError;
use service::{Error, Service};
use storage::snapshot::Snapshot;
use web::FictionalGateway;

use crate::failure::{Failure, Result};
use crate::wiring::{Engine, OsRandom};

/// The demo's data folder.
pub(super) const FOLDER: &str = "./covernote-demo";

/// The demo partner's API access key.
pub(super) const CLIENT_ID: &str = "demo";

/// The demo partner's API secret key.
pub(super) const CLIENT_SECRET: &str = "demo-secret";

/// The keys of the demo's test partner, which has a sandbox.
pub(super) const TEST_CLIENT_ID: &str = "demo-test";
pub(super) const TEST_CLIENT_SECRET: &str = "demo-test-secret";

/// The demo partner's id, which is always the same.
fn partner() -> PartnerId {
    PartnerId::from_uuid(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0de0))
}

/// The test partner's id, which is always the same.
fn test_partner() -> PartnerId {
    PartnerId::from_uuid(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0de1))
}

/// The credentials that the demo partner's page uses or shows.
pub(super) fn credentials(gateway: Arc<FictionalGateway>) -> web::journey::Demo {
    web::journey::Demo {
        client_id: CLIENT_ID.to_owned(),
        client_secret: CLIENT_SECRET.to_owned(),
        test_client_id: TEST_CLIENT_ID.to_owned(),
        test_client_secret: TEST_CLIENT_SECRET.to_owned(),
        gateway,
    }
}

/// The fictional payment gateway on whose page the demo's customers pay.
pub(super) fn gateway(base: &str) -> Arc<FictionalGateway> {
    Arc::new(FictionalGateway::at(format!("{base}/demo/pay"), &OsRandom::default()))
}

/// Refuses an address that other machines can reach.
///
/// # Errors
/// [`Failure::Configuration`].
pub(super) fn validate_address(address: SocketAddr) -> Result<()> {
    if address.ip().is_loopback() {
        return Ok(());
    }
    Err(Failure::Configuration(format!(
        "--demo listens on loopback only, since its credentials are public; {address} is not loopback"
    )))
}

/// Refuses a PostgreSQL database, which the demo could damage.
///
/// # Errors
/// [`Failure::Configuration`].
pub(super) fn validate_engine(engine: &Engine) -> Result<()> {
    match engine {
        Engine::Sqlite => Ok(()),
        Engine::Postgres(_) => Err(Failure::Configuration(
            "--demo uses SQLite in its own folder, since its credentials are public".into(),
        )),
    }
}

/// Whether a store belongs to a demo, which means that it has the demo partner. The folder's marker file
/// cannot answer this, because a copy of the store does not include that file.
///
/// # Errors
/// [`StorageError`] if the store cannot be read.
pub(super) fn is_of_a_demo(store: &Snapshot) -> Result<bool, StorageError> {
    store.has_partner(partner())
}

/// Adds the demo partner (every scope, legacy reads) and a test partner, if the store does not have them.
/// Sets the address of the partner's page to the server's present address.
///
/// Returns whether the demo is new.
///
/// # Errors
/// [`Failure`] of the store.
pub(super) async fn add_partner(service: &Service, base: &str) -> Result<bool> {
    let addresses = Addresses { origins: vec![base.to_owned()], return_urls: vec![format!("{base}/demo")] };
    let new = |name: &str, addresses: Addresses, is_test| NewPartner {
        name: name.to_owned(),
        scopes: Scopes::all(),
        legacy_reads: true,
        attribution: true,
        origins: addresses.origins,
        return_urls: addresses.return_urls,
        tokens_per_hour: TOKENS_PER_HOUR,
        is_test,
    };
    if let Err(Error::Unknown { .. }) = service.partners.find(TEST_CLIENT_ID).await {
        let new = new("Demo Lender, for trying out", Addresses::default(), true);
        service.partners.add_with(test_partner(), new, TEST_CLIENT_ID, TEST_CLIENT_SECRET).await?;
    }
    match service.partners.find(CLIENT_ID).await {
        Ok(known) => {
            let partner = known.partner;
            let before = Addresses { origins: partner.origins, return_urls: partner.return_urls };
            if before != addresses {
                let change = PartnerChange { add: addresses, remove: before, ..PartnerChange::default() };
                service.partners.change(CLIENT_ID, &change).await?;
            }
            Ok(false)
        }
        Err(Error::Unknown { .. }) => {
            let new = new("Demo Lender", addresses, false);
            service.partners.add_with(partner(), new, CLIENT_ID, CLIENT_SECRET).await?;
            Ok(true)
        }
        Err(fault) => Err(fault.into()),
    }
}

/// The demo partner's health proposals, in the import format.
const PROPOSALS: &str = include_str!("../../samples/health-proposals.jsonl");

/// The demo partner's health policies, in the import format.
const POLICIES: &str = include_str!("../../samples/health-policies.jsonl");

/// Imports the sample records that the store does not have yet, so that every read shows something.
///
/// # Errors
/// [`Failure`] of the store.
pub(super) async fn add_records(service: &Service) -> Result<()> {
    operators::import_text(service, PROPOSALS, POLICIES).await.map(|_| ()).map_err(Failure::Failed)
}

/// Text for the terminal once the demo is ready.
/// `console`: link that signs in to the console once.
pub(super) fn greeting(base: &str, console: &str) -> String {
    format!(
        r#"
The covernote demo is ready.
  page     {base}/demo   (open it in a browser: it is what your customers see)
  API      {base}
  docs     {base}/docs
  console  {console}   (what your team sees; this link signs in once)

Partner: client_id={CLIENT_ID} client_secret={CLIENT_SECRET}
With a sandbox: client_id={TEST_CLIENT_ID} client_secret={TEST_CLIENT_SECRET}

Get a token:
  TOKEN=$(curl -s {base}/v1/auth/token -H 'Content-Type: application/json' \
    -d '{{"client_id":"{CLIENT_ID}","client_secret":"{CLIENT_SECRET}","scopes":["business"]}}' | sed 's/.*"access_token":"\([^"]*\)".*/\1/')

Price cover for a loan:
  curl -s {base}/v1/embedded/quote -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
    -d '{{"date_of_birth":"15/06/1990","gender":"FEMALE","cover_amount":"500000.00","policy_term":24}}'

See one answer with every fault of a request:
  curl -s {base}/v1/embedded/proposal -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{{}}'

README.md continues with a certificate, docs/first-sale.md with a health recommendation. Stop the demo with Ctrl-C.
"#
    )
}
