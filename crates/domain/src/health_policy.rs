//! Health policies, issued here or imported (interface §12, §13).
//!
//! A policy that this service issued comes from a proposal on the hosted journey. An imported policy comes
//! from an earlier system of the operator.

use crate::cover_period::CoverPeriod;
use crate::date::Date;
use crate::endorsement_change::EndorsementChange;
use crate::health_proposal::{
    Chosen, HealthApplication, HealthNominee, HealthProposer, InsuredMember, JourneyProposal, NamedPlan,
    endorse_people, parties,
};
use crate::money::Rupees;
use crate::party::Party;
use crate::text::FromText;

/// Status or kind of a policy: 1 to 40 capital letters and underscores, such as `ISSUED`. Imported records
/// may have other words than policies issued here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyWord(String);

impl PolicyWord {
    /// Status of every policy that this service issued.
    pub fn issued() -> Self {
        PolicyWord("ISSUED".to_owned())
    }

    /// `RENEWAL` if the policy renews another one, `PORTABILITY` if the customer changed insurer, else
    /// `FRESH`.
    fn of_kind(chosen: &Chosen) -> Self {
        let word = match (&chosen.renewal, chosen.porting) {
            (Some(_), _) => "RENEWAL",
            (None, Some(_)) => "PORTABILITY",
            (None, None) => "FRESH",
        };
        PolicyWord(word.to_owned())
    }

    /// Restores a stored word without validation.
    pub fn kept(text: String) -> Self {
        PolicyWord(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromText for PolicyWord {
    const WANTED: &'static str = "a word of 1 to 40 capital letters and underscores, such as ISSUED or FRESH";
    const PATTERN: Option<&'static str> = Some(r"^\s*[A-Z_]{1,40}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let good = text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        if good { Ok(PolicyWord(text.to_owned())) } else { Err("text that is not a word in capitals") }
    }
}

/// Extra benefit beside the base plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rider {
    pub id: String,
    pub name: String,
}

/// Data that only a policy issued by this service has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedPolicy {
    pub chosen: Chosen,
    /// First and last day of cover.
    pub period: CoverPeriod,
    /// The product's text that tells the customer how the premium is paid (D29).
    pub settlement: String,
}

/// Data that only an imported policy has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedPolicy {
    /// Names and ids of insurer, product and variant.
    pub plan: NamedPlan,
    /// Proposal id as in the imported record.
    pub proposal_id: Option<String>,
    /// Quote id as in the imported record.
    pub quote_id: Option<String>,
    pub expires: Date,
}

/// Whether a policy was issued here or imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyOrigin {
    Issued(Box<IssuedPolicy>),
    /// Imported by the operator.
    Import(Box<ImportedPolicy>),
}

/// Health part of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthCover {
    /// Status word, such as `ISSUED`.
    pub status: PolicyWord,
    /// Kind of contract, such as `FRESH` or `RENEWAL`.
    pub kind: PolicyWord,
    /// Length of the cover in years.
    pub tenure: u8,
    /// Id of the policy that this one renews. For an imported policy: the text in its record.
    pub previous: Option<String>,
    /// Policyholder.
    pub proposer: HealthProposer,
    /// Insured people; at least one.
    pub members: Vec<InsuredMember>,
    /// Nominees: people who are paid if the proposer cannot be paid.
    pub nominees: Vec<HealthNominee>,
    /// Extra benefits beside the base plan.
    pub riders: Vec<Rider>,
    /// Data that depends on whether the policy was issued here or imported.
    pub origin: PolicyOrigin,
}

impl HealthCover {
    /// Sum insured and cover of the policy for an accepted application.
    ///
    /// Cover starts on the day of issue; the cover of a renewal starts after the earlier policy has ended.
    /// Cover lasts for the application's tenure. `None` for an imported application, or if the calendar
    /// cannot represent the dates.
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

    /// Applies an endorsement. Ignores a change of data that the cover does not have.
    pub(crate) fn endorse(&mut self, change: &EndorsementChange) {
        endorse_people(change, &mut self.proposer, &mut self.members);
        if let EndorsementChange::Nominees(nominees) = change {
            self.nominees = nominees.iter().map(HealthNominee::of).collect();
        }
    }

    /// People in the cover.
    pub(crate) fn parties(&self) -> Vec<Party> {
        parties(&self.proposer, &self.members, &self.nominees)
    }

    /// Last day of cover.
    pub fn expires(&self) -> Date {
        match &self.origin {
            PolicyOrigin::Issued(issued) => issued.period.ends,
            PolicyOrigin::Import(imported) => imported.expires,
        }
    }

    /// Data that only a policy issued by this service has. `None` for an imported policy.
    pub fn issued(&self) -> Option<&IssuedPolicy> {
        match &self.origin {
            PolicyOrigin::Issued(issued) => Some(issued),
            PolicyOrigin::Import(_) => None,
        }
    }
}
