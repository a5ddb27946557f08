//! The health policy: one that came of a proposal on the journey, or one of a book that the operator brought along
//! (interface §12, §13).

use crate::date::{Date, Timestamp, day_of};
use crate::health_proposal::{
    Chosen, HealthNominee, HealthProposal, HealthProposer, InsuredMember, JourneyProposal, NamedPlan,
    ProposalOrigin,
};
use crate::id::{MemberId, NomineeId, PartnerId, PolicyId, ProposalId, SessionId, counted_on};
use crate::money::{Premium, Rupees};
use crate::policy::{CheckCode, CoverPeriod, IssueTerms, PolicyNumber};
use crate::text::FromText;

/// Where a policy stands: `ISSUED`, or the word of an imported record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyWord(String);

impl PolicyWord {
    /// What every policy of the journey is.
    pub fn issued() -> Self {
        PolicyWord("ISSUED".to_owned())
    }

    /// A new contract with this insurer, or one brought along from another.
    pub fn of_kind(is_porting: bool) -> Self {
        PolicyWord(if is_porting { "PORTABILITY" } else { "FRESH" }.to_owned())
    }

    /// A word as it was kept.
    pub fn kept(text: String) -> Self {
        PolicyWord(text)
    }

    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromText for PolicyWord {
    const WANTED: &'static str =
        "a word of 1 to 40 capital letters and underscores, such as ISSUED or FRESH,";
    const PATTERN: Option<&'static str> = Some(r"^\s*[A-Z_]{1,40}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let good = text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        if good { Ok(PolicyWord(text.to_owned())) } else { Err("text that is no such word") }
    }
}

/// A benefit bought beside the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rider {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// What only a policy that was issued here has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedPolicy {
    /// The proposal that it came of.
    pub proposal: ProposalId,
    /// What was chosen.
    pub chosen: Chosen,
    /// What the QR code names it by.
    pub check: CheckCode,
    /// From when to when it covers.
    pub cover: CoverPeriod,
    /// How the premium is settled (D29).
    pub settlement: String,
}

/// What only an imported policy has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedPolicy {
    /// Insurer, product and variant.
    pub plan: NamedPlan,
    /// The proposal's id, in the words of the record.
    pub proposal_id: Option<String>,
    /// The quote's id, likewise.
    pub quote_id: Option<String>,
    /// Last day of cover.
    pub expires: Date,
}

/// Where a policy comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyOrigin {
    /// It was issued here.
    Issued(Box<IssuedPolicy>),
    /// A book that the operator brought along.
    Import(Box<ImportedPolicy>),
}

/// A health policy as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthPolicy {
    /// Its id.
    pub id: PolicyId,
    /// Whose customer it belongs to.
    pub partner: PartnerId,
    /// The session it belongs to.
    pub session: Option<SessionId>,
    /// Our number.
    pub number: PolicyNumber,
    /// The number under which the insurer keeps it, where it is another.
    pub insurer_number: Option<PolicyNumber>,
    /// When it was issued: by its day in Asia/Kolkata lists find it (D32).
    pub issued_at: Timestamp,
    /// Where it stands.
    pub status: PolicyWord,
    /// `FRESH`, or another word.
    pub kind: PolicyWord,
    /// Sum insured.
    pub sum_insured: Rupees,
    /// Years of cover.
    pub tenure: u8,
    /// What it costs.
    pub premium: Premium,
    /// The policy before it, in the words of an imported record.
    pub previous: Option<String>,
    /// Who holds it.
    pub proposer: HealthProposer,
    /// Who is insured; at least one.
    pub members: Vec<InsuredMember>,
    /// Who is paid when the proposer cannot be.
    pub nominees: Vec<HealthNominee>,
    /// Benefits beside the plan.
    pub riders: Vec<Rider>,
    /// Where it comes from, with all that depends on it.
    pub origin: PolicyOrigin,
}

/// Nominees are counted on from here, members from 1, so that no two share an id.
const FIRST_NOMINEE: u32 = 0x1000;

impl HealthPolicy {
    /// The policy that an accepted proposal of the journey becomes: cover begins on the day of issue and ends `tenure`
    /// years later, the day before. `None` for an imported proposal, and beyond the calendar.
    pub fn issue(proposal: &HealthProposal, terms: IssueTerms, at: Timestamp) -> Option<HealthPolicy> {
        let ProposalOrigin::Journey(made) = &proposal.origin else { return None };
        let JourneyProposal { chosen, form, .. } = made.as_ref();
        let issued = day_of(at);
        let cover = CoverPeriod::of(None, issued, u32::from(proposal.tenure) * 12)?;
        Some(HealthPolicy {
            id: terms.id,
            partner: proposal.partner,
            session: proposal.session,
            number: PolicyNumber::of(&terms.number_prefix, issued.year(), terms.id),
            insurer_number: terms.insurer_number,
            issued_at: at,
            status: PolicyWord::issued(),
            kind: PolicyWord::of_kind(chosen.porting.is_some()),
            sum_insured: chosen.sum_insured,
            tenure: proposal.tenure,
            premium: proposal.premium,
            previous: None,
            proposer: form.proposer.clone(),
            members: form.members.clone(),
            nominees: vec![form.nominee.clone()],
            riders: Vec::new(),
            origin: PolicyOrigin::Issued(Box::new(IssuedPolicy {
                proposal: proposal.id,
                chosen: chosen.clone(),
                check: terms.check,
                cover,
                settlement: terms.settlement,
            })),
        })
    }

    /// Last day of cover.
    pub fn expires(&self) -> Date {
        match &self.origin {
            PolicyOrigin::Issued(issued) => issued.cover.ends,
            PolicyOrigin::Import(imported) => imported.expires,
        }
    }

    /// What was issued here, where it was.
    pub fn issued(&self) -> Option<&IssuedPolicy> {
        match &self.origin {
            PolicyOrigin::Issued(issued) => Some(issued),
            PolicyOrigin::Import(_) => None,
        }
    }

    /// The id of a member by its place: the policy's own counted on, so that it need not be kept.
    pub fn member_id(&self, place: usize) -> MemberId {
        counted_on(self.id, place as u32 + 1)
    }

    /// The id of a nominee by its place, likewise.
    pub fn nominee_id(&self, place: usize) -> NomineeId {
        counted_on(self.id, FIRST_NOMINEE + place as u32)
    }
}
