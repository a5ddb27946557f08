//! The journey: one customer's way through the hosted pages, and what was answered so far (interface §14; D38).

use crate::date::Timestamp;
use crate::health_proposal::{FamilyMember, HealthForm};
use crate::health_quote::{PlanType, Porting};
use crate::id::{PartnerId, ProposalId, QuoteId, SessionId, Uuid, VariantId};
use crate::language::Language;
use crate::money::{Premium, Rupees};
use crate::person::{HomePincode, PlatformId};

/// The plan that a customer chose of a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub variant: VariantId,
    /// Years of cover.
    pub years: u8,
    /// What it cost when it was chosen: whatever costs something else later is shown beside it.
    pub premium: Premium,
}

/// What is to be covered, and from which rupee on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverWanted {
    /// Kind of cover.
    pub plan: PlanType,
    pub sum_insured: Rupees,
    /// Deductible of a super top-up.
    pub deductible: Option<Rupees>,
}

/// What was answered so far. A page that was not answered is `None` or empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answers {
    /// Who is to be covered.
    pub family: Vec<FamilyMember>,
    /// Where the customer lives.
    pub pincode: Option<HomePincode>,
    /// Whether somebody has an illness.
    pub has_illness: Option<bool>,
    /// Whether a policy is brought along; `Some(None)` for no.
    pub porting: Option<Option<Porting>>,
    pub cover: Option<CoverWanted>,
    /// The quote that was made of all that.
    pub quote: Option<QuoteId>,
    /// The plan chosen of it.
    pub choice: Option<Choice>,
    /// Names, addresses and the rest.
    pub form: Option<HealthForm>,
    /// The proposal that was made of all that.
    pub proposal: Option<ProposalId>,
}

/// A journey as it is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Journey {
    pub id: Uuid,
    /// Whose customer travels.
    pub partner: PartnerId,
    /// The session that it belongs to.
    pub session: SessionId,
    /// The token that opened it, by its id.
    pub token: Uuid,
    /// SHA-256 of what the browser's cookie holds.
    pub cookie: [u8; 32],
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When the customer was last seen, to the minute.
    pub seen_at: Timestamp,
    /// Counts its changes, so that two tabs do not undo each other's.
    pub version: u32,
    /// In which language it is shown.
    pub language: Language,
    /// The end user on the partner's platform, where the token named one.
    pub user: Option<PlatformId>,
    /// Where the customer goes back to, where the partner registered an address.
    pub return_url: Option<String>,
    pub answers: Answers,
    /// What the store read, where it holds something of a newer program. Only the store understands it, and gives it back
    /// when the journey changes.
    pub as_read: Option<Vec<u8>>,
}

impl std::fmt::Debug for Journey {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Journey({}, …)", self.session)
    }
}

impl Answers {
    /// Answers of which a later part no longer holds: who is covered, where, or with what has changed, so that the quote
    /// and what was chosen of it are gone. What was filled in stays.
    pub fn forget_quote(&mut self) {
        self.quote = None;
        self.choice = None;
    }
}
