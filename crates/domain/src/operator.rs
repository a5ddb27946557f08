//! The operator: the broker or corporate agent who sells the insurance and runs this service.

use crate::date::Date;
use crate::language::Text;
use crate::text::vocabulary;

vocabulary! {
    /// What kind of intermediary the operator is.
    OperatorKind, "one of broker, corporate-agent, web-aggregator, insurance-marketing-firm" {
        /// An insurance broker.
        Broker = "broker",
        CorporateAgent = "corporate-agent",
        WebAggregator = "web-aggregator",
        MarketingFirm = "insurance-marketing-firm",
    }
}

impl OperatorKind {
    /// What it is called in English.
    pub const fn in_english(self) -> &'static str {
        match self {
            OperatorKind::Broker => "insurance broker",
            OperatorKind::CorporateAgent => "corporate agent",
            OperatorKind::WebAggregator => "insurance web aggregator",
            OperatorKind::MarketingFirm => "insurance marketing firm",
        }
    }
}

/// Who sells the insurance, as pages, consents and certificates name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// Registered name.
    pub name: Text,
    /// What kind of intermediary it is.
    pub kind: OperatorKind,
    /// The number of its licence or registration.
    pub licence_number: String,
    /// The last day of the licence.
    pub licence_until: Date,
    /// Registered address, in one line.
    pub address: Text,
    /// Where customers reach it: e-mail address and telephone number, in one line.
    pub contact: String,
    /// The grievance officer, with e-mail address and telephone number, in one line.
    pub grievance_officer: Text,
    /// Address (URL) of the privacy notice.
    pub privacy_notice: String,
    /// Address (URL) of the terms of use.
    pub terms: String,
    /// The logo, where there is one.
    pub logo: Option<Logo>,
}

impl Operator {
    /// Whether the licence has ended by a day in Asia/Kolkata.
    pub fn licence_has_ended(&self, on: Date) -> bool {
        self.licence_until < on
    }
}

/// A picture.
#[derive(Clone, PartialEq, Eq)]
pub struct Logo {
    /// Its media type: `image/svg+xml` or `image/png`.
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for Logo {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Logo({}, {} bytes)", self.media_type, self.bytes.len())
    }
}
