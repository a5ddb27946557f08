//! Insurers of a catalogue.

use domain::id::InsurerId;
use domain::language::Text;
use domain::money::Rupees;
use rust_decimal::Decimal;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insurer {
    pub id: InsurerId,
    pub name: String,
    /// URL of the logo.
    pub logo: String,
    /// Description for customers, in a sentence or two.
    pub description: Text,
    /// Number in the regulator's register.
    pub registration_number: String,
    /// Postal address on one line.
    pub address: String,
    /// How customers report a claim to the insurer, such as by phone.
    pub claims_contact: String,
    /// Whom customers contact for complaints.
    pub grievance_contact: Text,
    /// Number of hospitals that bill the insurer directly (cashless). Required for health insurers,
    /// optional for others.
    pub network_hospitals: Option<u32>,
    /// Percentage of claims that the insurer settles, from 0 to 100. Required for health insurers,
    /// optional for others.
    pub claim_settlement_ratio: Option<Decimal>,
    /// Difference between a premium and its payment that the insurer accepts. Zero: none.
    pub payment_tolerance: Rupees,
    pub connector: Connector,
}

/// How the prices of an insurer are found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Connector {
    /// From rate tables in the insurer's folder.
    RateTable,
    /// By requests to the insurer over HTTP.
    Http(HttpConnector),
}

/// Connection to an insurer that this service calls over HTTP. The secret itself is in a file of the
/// operator.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HttpConnector {
    /// Start of every URL, without a slash at the end. It begins with `https://`, or with `http://` for this
    /// machine.
    pub url: String,
    pub authentication: Authentication,
    /// Name of the file with the secret, in the operator's folder of secrets.
    pub secret: String,
    /// Most concurrent calls to the insurer.
    pub calls_in_flight: u16,
    /// Whether the insurer gets notices about its policies over HTTP (D90).
    pub notices: bool,
}

impl Insurer {
    /// Whether the insurer gets notices about its policies over HTTP. If not, it gets only bordereaux.
    pub fn is_told(&self) -> bool {
        matches!(&self.connector, Connector::Http(http) if http.notices)
    }
}

/// How this service and another server authenticate to each other with a shared secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Authentication {
    /// The shared secret is sent as a bearer token.
    Bearer,
    /// Signature: HMAC-SHA256 of time, method, path and body.
    Hmac,
}
