//! The operator: broker or corporate agent who sells the insurance and runs this service.

use crate::date::{Date, days_later};
use crate::language::Text;
use crate::text::vocabulary;

vocabulary! {
    /// Kind of intermediary.
    OperatorKind, "one of broker, corporate-agent, web-aggregator, insurance-marketing-firm" {
        Broker = "broker",
        CorporateAgent = "corporate-agent",
        WebAggregator = "web-aggregator",
        MarketingFirm = "insurance-marketing-firm",
    }
}

impl OperatorKind {
    /// English name of the kind, for people.
    pub const fn in_english(self) -> &'static str {
        match self {
            OperatorKind::Broker => "insurance broker",
            OperatorKind::CorporateAgent => "corporate agent",
            OperatorKind::WebAggregator => "insurance web aggregator",
            OperatorKind::MarketingFirm => "insurance marketing firm",
        }
    }
}

/// Seller of the insurance, as named on pages, consents and certificates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// Registered name.
    pub name: Text,
    pub kind: OperatorKind,
    /// Number of its licence or registration.
    pub licence_number: String,
    /// Last day of the licence.
    pub licence_until: Date,
    /// Days after the last day of the licence on which sales go on, while its renewal is under way.
    pub licence_grace_days: u16,
    /// Registered address on one line.
    pub address: Text,
    /// E-mail address and telephone number for customers, on one line.
    pub contact: String,
    /// Name, e-mail address and telephone number of the grievance officer, on one line.
    pub grievance_officer: Text,
    /// URL of the privacy notice.
    pub privacy_notice: String,
    /// URL of the terms of use.
    pub terms: String,
    pub logo: Option<Logo>,
}

impl Operator {
    /// Whether the licence ended before `on`, a day in Asia/Kolkata.
    pub fn licence_has_ended(&self, on: Date) -> bool {
        self.licence_until < on
    }

    /// Whether the operator may sell on a day: the licence and its grace days have not ended.
    pub fn may_sell(&self, on: Date) -> bool {
        days_later(self.licence_until, self.licence_grace_days).is_none_or(|last| on <= last)
    }
}

/// Image of the operator's logo.
#[derive(Clone, PartialEq, Eq)]
pub struct Logo {
    /// `image/svg+xml` or `image/png`.
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for Logo {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Logo({}, {} bytes)", self.media_type, self.bytes.len())
    }
}
