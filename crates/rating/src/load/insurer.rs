//! Parses `insurer.toml`, the file of one insurer.

use std::sync::Arc;

use domain::id::kind;
use domain::money::Rupees;

use crate::insurer::{Authentication, Connector, HttpConnector, Insurer};
use crate::parse::document::{Document, Section};
use crate::parse::ids::Ids;
use crate::parse::source_files::SourceFiles;
use crate::parse::texts;
use crate::parse::values;

/// Largest difference between a premium and its payment that an insurer can accept.
const MOST_TOLERANCE: Rupees = Rupees::whole(10);

/// Parses an insurer's file. `None` after a reported fault.
pub(crate) fn parse(path: &str, sources: &SourceFiles<'_>, ids: &Ids) -> Option<Arc<Insurer>> {
    let document = Document::parse(path, sources.read(path)?, sources.faults)?;
    let section = document.root(sources.faults);
    let id = section.required("id", values::id::<kind::Insurer>);
    if let Some(id) = id {
        ids.claim(id, &section);
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
    let payment_tolerance = section.or("payment_tolerance", Rupees::ZERO, values::amount);
    if payment_tolerance > MOST_TOLERANCE {
        section.report("payment_tolerance", "`payment_tolerance` must be at most 10 rupees.");
        return None;
    }
    let connector = parse_connector(&section);
    // An invalid value must not be reported as missing for a health product.
    let health_is_valid = network_hospitals.is_some() == section.has("network_hospitals")
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
        payment_tolerance,
        connector: connector?,
    };
    Some(Arc::new(insurer)).filter(|_| health_is_valid)
}

/// Default for the most concurrent calls to an insurer.
const CALLS_IN_FLIGHT: u32 = 16;

/// Parses how the insurer is reached. An insurer that is called over HTTP needs the section `[http]`.
fn parse_connector(section: &Section<'_>) -> Option<Connector> {
    let word = section.or("connector", "rate-table", |value| values::word(value, &["rate-table", "http"]));
    let http = section.section("http");
    match (word, http) {
        ("http", Some(http)) => {
            let connector = parse_http(&http);
            http.close();
            connector.map(Connector::Http)
        }
        ("http", None) => {
            if !section.has("http") {
                section.report(
                    "connector",
                    "`http` is missing: the connector \"http\" needs the section [http].",
                );
            }
            None
        }
        (_, Some(http)) => {
            section
                .report("http", "`http` is only for the connector \"http\"; this insurer has rate tables.");
            drop(http);
            None
        }
        (_, None) => Some(Connector::RateTable),
    }
}

fn parse_http(section: &Section<'_>) -> Option<HttpConnector> {
    let url = section.required("url", values::server);
    let authentication = section.required("authentication", |value| values::word(value, &["bearer", "hmac"]));
    let secret = section.required("secret", values::file_name);
    let calls_in_flight =
        section.or("calls_in_flight", CALLS_IN_FLIGHT, |value| values::whole(value, 1, 1000));
    let notices = section.or("notices", true, values::flag);
    Some(HttpConnector {
        url: url?,
        authentication: if authentication? == "bearer" {
            Authentication::Bearer
        } else {
            Authentication::Hmac
        },
        secret: secret?,
        calls_in_flight: calls_in_flight as u16,
        notices,
    })
}
