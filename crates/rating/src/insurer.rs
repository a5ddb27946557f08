//! Insurers, as quotes or certificates name them.

use domain::id::InsurerId;
use domain::language::Text;
use rust_decimal::Decimal;

/// An insurer of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insurer {
    pub id: InsurerId,
    pub name: String,
    /// Address of its logo.
    pub logo: String,
    /// What a customer should know about it, in a sentence or two.
    pub description: Text,
    /// Its number in the regulator's register.
    pub registration_number: String,
    /// Its postal address, in one line.
    pub address: String,
    /// How a customer reports a claim to it.
    pub claims_contact: String,
    /// Who hears a complaint.
    pub grievance_contact: Text,
    /// Hospitals that treat its customers without payment in advance. Health insurers have it.
    pub network_hospitals: Option<u32>,
    /// Part of its claims that it settled, in percent from 0 to 100. Health insurers have it.
    pub claim_settlement_ratio: Option<Decimal>,
    /// How its prices are found.
    pub connector: Connector,
}

/// How an insurer's prices are found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Connector {
    /// In the rate tables of its folder.
    RateTable,
    /// The insurer is asked over HTTP.
    Http(HttpConnector),
}

/// The address of an insurer that is asked over HTTP, with its limits. The secret itself is in a file of the operator.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HttpConnector {
    /// The start of every address, without a slash at its end. `https://`, or `http://` on this machine.
    pub url: String,
    /// How both sides authenticate.
    pub authentication: Authentication,
    /// Name of the file with the secret, in the operator's folder of secrets.
    pub secret: String,
    /// Calls in flight at once, at most.
    pub calls_in_flight: u16,
    /// Whether it is told what happens to its policies (D90).
    pub notices: bool,
}

impl Insurer {
    /// Whether it is told what happens to its policies. Others get bordereaux alone.
    pub fn is_told(&self) -> bool {
        matches!(&self.connector, Connector::Http(http) if http.notices)
    }
}

/// How two servers authenticate to each other by a shared secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Authentication {
    /// The secret itself as a bearer token.
    Bearer,
    /// An HMAC-SHA256 of time, method, path and body.
    Hmac,
}
