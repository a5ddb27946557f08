//! Reading `insurer.toml`.

use std::sync::Arc;

use domain::id::kind;

use crate::insurer::{Authentication, Connector, HttpConnector, Insurer};
use crate::parse::document::{Document, Section};
use crate::parse::ids::Ids;
use crate::parse::source_files::Shelf;
use crate::parse::texts;
use crate::parse::values;

/// Reads an insurer's file. `None` when a fault was noted.
pub(crate) fn read(path: &str, shelf: &Shelf<'_>, ids: &Ids) -> Option<Arc<Insurer>> {
    let document = Document::parse(path, shelf.take(path)?, shelf.faults)?;
    let section = document.root(shelf.faults);
    let id = section.required("id", values::id::<kind::Insurer>);
    if let Some(id) = id {
        ids.take(id, &section);
    }
    let name = section.required("name", values::text);
    let logo = section.required("logo", values::address);
    let description = texts::required(&section, "description");
    let registration_number = section.required("registration_number", values::text);
    let address = section.required("address", values::text);
    let claims_contact = section.required("claims_contact", values::text);
    let grievance_contact = texts::required(&section, "grievance_contact");
    let network_hospitals = section.optional("network_hospitals", |value| values::whole(value, 0, 1_000_000));
    let claim_settlement_ratio =
        section.optional("claim_settlement_ratio", |value| values::percent(value, 100));
    let connector = read_connector(&section);
    // What is there and could not be read must not be told as missing.
    let health_is_read = network_hospitals.is_some() == section.has("network_hospitals")
        && claim_settlement_ratio.is_some() == section.has("claim_settlement_ratio");
    section.close();
    let insurer = Insurer {
        id: id?,
        name: name?,
        logo: logo?,
        description: description?,
        registration_number: registration_number?,
        address: address?,
        claims_contact: claims_contact?,
        grievance_contact: grievance_contact?,
        network_hospitals,
        claim_settlement_ratio,
        connector: connector?,
    };
    Some(Arc::new(insurer)).filter(|_| health_is_read)
}

/// Calls in flight at once where the insurer's file does not say.
const CALLS_IN_FLIGHT: u32 = 16;

/// Reads how prices are found, and the `[http]` section where the insurer is asked.
fn read_connector(section: &Section<'_>) -> Option<Connector> {
    let word = section.or("connector", "rate-table", |value| values::word(value, &["rate-table", "http"]));
    let http = section.section("http");
    match (word, http) {
        ("http", Some(http)) => {
            let connector = read_http(&http);
            http.close();
            connector.map(Connector::Http)
        }
        ("http", None) => {
            if !section.has("http") {
                section.fault(
                    "connector",
                    "`http` is missing: the section [http] says where the insurer is asked.",
                );
            }
            None
        }
        (_, Some(http)) => {
            section.fault("http", "`http` belongs to the connector \"http\"; this insurer has rate tables.");
            drop(http);
            None
        }
        (_, None) => Some(Connector::RateTable),
    }
}

/// Reads an `[http]` section.
fn read_http(section: &Section<'_>) -> Option<HttpConnector> {
    let url = section.required("url", values::server);
    let authentication = section.required("authentication", |value| values::word(value, &["bearer", "hmac"]));
    let secret = section.required("secret", values::file_name);
    let calls_in_flight =
        section.or("calls_in_flight", CALLS_IN_FLIGHT, |value| values::whole(value, 1, 1000));
    Some(HttpConnector {
        url: url?,
        authentication: if authentication? == "bearer" {
            Authentication::Bearer
        } else {
            Authentication::Hmac
        },
        secret: secret?,
        calls_in_flight: calls_in_flight as u16,
    })
}
