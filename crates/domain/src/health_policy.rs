//! The health policy: one that came of a proposal on the journey, or one of a book that the operator brought along
//! (interface §12, §13).

use crate::date::Date;
use crate::health_proposal::{
    Chosen, Health, HealthApplication, HealthNominee, HealthProposer, InsuredMember, JourneyProposal,
    NamedPlan,
};
use crate::id::{MemberId, NomineeId, counted_on};
use crate::money::Rupees;
use crate::policy::{CoverPeriod, Policy};
use crate::text::FromText;

pub type HealthPolicy = Policy<Health>;

/// Where a policy stands: `ISSUED`, or the word of an imported record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyWord(String);

impl PolicyWord {
    /// What every policy of the journey is.
    pub fn issued() -> Self {
        PolicyWord("ISSUED".to_owned())
    }

    /// A new contract with this insurer, one that follows another, or one brought along from another insurer.
    fn of_kind(chosen: &Chosen) -> Self {
        let word = match (&chosen.renewal, chosen.porting) {
            (Some(_), _) => "RENEWAL",
            (None, Some(_)) => "PORTABILITY",
            (None, None) => "FRESH",
        };
        PolicyWord(word.to_owned())
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
    pub id: String,
    pub name: String,
}

/// What only a policy that was issued here has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedPolicy {
    pub chosen: Chosen,
    /// From when to when it covers.
    pub period: CoverPeriod,
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
    Issued(Box<IssuedPolicy>),
    /// A book that the operator brought along.
    Import(Box<ImportedPolicy>),
}

/// What a health policy covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthCover {
    /// Where the policy stands.
    pub status: PolicyWord,
    /// `FRESH`, or another word.
    pub kind: PolicyWord,
    /// Years of cover.
    pub tenure: u8,
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
    /// Where the policy comes from, with all that depends on it.
    pub origin: PolicyOrigin,
}

/// Nominees are counted on from here, members from 1, so that no two share an id.
const FIRST_NOMINEE: u32 = 0x1000;

impl HealthCover {
    /// The cover that an accepted application gets: it begins on the day of issue, that of a renewal not before the policy before
    /// it has ended, and ends `tenure` years later, the day before. `None` for an imported application, and beyond the calendar.
    pub(crate) fn of(
        application: &HealthApplication,
        issued: Date,
        settlement: String,
    ) -> Option<(Rupees, HealthCover)> {
        let made = application.journey()?;
        let JourneyProposal { chosen, form, .. } = made;
        let starts = Some(made.starts(issued));
        let period = CoverPeriod::of(starts, issued, u32::from(application.tenure) * 12)?;
        let cover = HealthCover {
            status: PolicyWord::issued(),
            kind: PolicyWord::of_kind(chosen),
            tenure: application.tenure,
            previous: chosen.renewal.as_ref().map(|renewal| renewal.policy.to_string()),
            proposer: form.proposer.clone(),
            members: form.members.clone(),
            nominees: vec![form.nominee.clone()],
            riders: Vec::new(),
            origin: PolicyOrigin::Issued(Box::new(IssuedPolicy {
                chosen: chosen.clone(),
                period,
                settlement,
            })),
        };
        Some((chosen.sum_insured, cover))
    }

    /// Last day of cover.
    pub fn expires(&self) -> Date {
        match &self.origin {
            PolicyOrigin::Issued(issued) => issued.period.ends,
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
}

impl HealthPolicy {
    /// The id of a member by its index: the policy's own counted on, so that it need not be kept.
    pub fn member_id(&self, index: usize) -> MemberId {
        counted_on(self.id, index as u32 + 1)
    }

    /// The id of a nominee by its index, likewise.
    pub fn nominee_id(&self, index: usize) -> NomineeId {
        counted_on(self.id, FIRST_NOMINEE + index as u32)
    }
}
