//! Journey of a customer through the hosted pages (interface §14; D38).

use crate::date::Timestamp;
use crate::health_proposal::{FamilyMember, HealthForm};
use crate::health_quote::{PlanType, Porting};
use crate::id::{PartnerId, ProposalId, QuoteId, SessionId, Uuid, VariantId};
use crate::language::Language;
use crate::money::{Premium, Rupees};
use crate::person::{HomePincode, PlatformId};

/// Plan that a customer chose from a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub variant: VariantId,
    /// Length of the cover in years.
    pub years: u8,
    /// Premium at the time of the choice. If the price changes later, pages show the old and the new price.
    pub premium: Premium,
}

/// Cover that the customer requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverWanted {
    pub plan: PlanType,
    pub sum_insured: Rupees,
    /// Deductible of a super top-up plan.
    pub deductible: Option<Rupees>,
}

/// Customer's answers so far. A field is `None` or empty if its page is not answered yet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answers {
    /// People to be insured.
    pub family: Vec<FamilyMember>,
    /// Pincode of the home.
    pub pincode: Option<HomePincode>,
    /// Whether any member has an illness.
    pub has_illness: Option<bool>,
    /// Policy to be moved from another insurer. `None`: not answered yet. `Some(None)`: there is no such
    /// policy.
    pub porting: Option<Option<Porting>>,
    pub cover: Option<CoverWanted>,
    /// Quote made from these answers, if any.
    pub quote: Option<QuoteId>,
    /// Plan chosen from the quote.
    pub choice: Option<Choice>,
    /// Names, addresses and other personal details.
    pub form: Option<HealthForm>,
    /// Proposal made from these answers, if any.
    pub proposal: Option<ProposalId>,
}

#[derive(Clone, PartialEq, Eq)]
pub struct Journey {
    pub id: Uuid,
    /// Partner of the customer.
    pub partner: PartnerId,
    pub session: SessionId,
    /// Id of the access token that opened the journey.
    pub token: Uuid,
    /// SHA-256 of the browser's cookie value.
    pub cookie: [u8; 32],
    pub opened_at: Timestamp,
    /// Time of the customer's last request, to the minute.
    pub seen_at: Timestamp,
    /// Version number; each stored change adds 1. So conflicting changes from two tabs are detected.
    pub version: u32,
    /// Language of the pages.
    pub language: Language,
    /// User id on the partner's platform, if the token has one.
    pub user: Option<PlatformId>,
    /// URL to which the customer returns, if the partner registered one.
    pub return_url: Option<String>,
    pub answers: Answers,
    /// Stored bytes of the journey, if a newer program version wrote them. Only the store understands these
    /// bytes. It writes them back when the journey changes.
    pub as_read: Option<Vec<u8>>,
}

impl std::fmt::Debug for Journey {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Journey({}, …)", self.session)
    }
}

impl Answers {
    /// Removes the quote and the chosen plan, because an answer on which they depend was changed. Names and
    /// addresses in `form` stay.
    pub fn forget_quote(&mut self) {
        self.quote = None;
        self.choice = None;
    }
}
