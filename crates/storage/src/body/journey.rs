//! Journeys, health proposals and health policies in bodies.

use domain::date::Timestamp;
use domain::health_policy::{HealthPolicy, ImportedPolicy, IssuedPolicy, PolicyOrigin, PolicyWord, Rider};
use domain::health_proposal::{
    BankAccount, Chosen, Consent, ConsentPurpose, FamilyMember, HealthForm, HealthNominee, HealthProposal,
    HealthProposer, HomeAddress, Ifsc, ImportedProposal, InsuredMember, JourneyProposal, NamedPlan,
    ProposalOrigin,
};
use domain::id::SessionId;
use domain::journey::{Answers, Choice, CoverWanted, Journey, Language};
use domain::money::{Premium, Rupees};
use domain::person::PlatformId;
use domain::policy::CheckCode;

use super::codec::{Body, Damaged, bytes, record, words};

words!(ConsentPurpose, Language);

/// A health proposal without its ids, session, status, times and reason, which are the row's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HealthProposalBody {
    pub(crate) tenure: u8,
    pub(crate) premium: Premium,
    pub(crate) origin: ProposalOrigin,
}

impl HealthProposalBody {
    pub(crate) fn of(proposal: &HealthProposal) -> Self {
        let HealthProposal { tenure, premium, origin, .. } = proposal;
        HealthProposalBody { tenure: *tenure, premium: *premium, origin: origin.clone() }
    }
}

/// A health policy without its ids, session, numbers and time, which are the row's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HealthPolicyBody {
    pub(crate) status: PolicyWord,
    pub(crate) kind: PolicyWord,
    pub(crate) sum_insured: Rupees,
    pub(crate) tenure: u8,
    pub(crate) premium: Premium,
    pub(crate) previous: Option<String>,
    pub(crate) proposer: HealthProposer,
    pub(crate) members: Vec<InsuredMember>,
    pub(crate) nominees: Vec<HealthNominee>,
    pub(crate) riders: Vec<Rider>,
    pub(crate) origin: PolicyOrigin,
}

impl HealthPolicyBody {
    pub(crate) fn of(policy: &HealthPolicy) -> Self {
        HealthPolicyBody {
            status: policy.status.clone(),
            kind: policy.kind.clone(),
            sum_insured: policy.sum_insured,
            tenure: policy.tenure,
            premium: policy.premium,
            previous: policy.previous.clone(),
            proposer: policy.proposer.clone(),
            members: policy.members.clone(),
            nominees: policy.nominees.clone(),
            riders: policy.riders.clone(),
            origin: policy.origin.clone(),
        }
    }
}

/// A journey without its ids, cookie, version and the time it was seen, which are the row's.
#[derive(Clone, PartialEq)]
pub(crate) struct JourneyBody {
    pub(crate) opened_at: Timestamp,
    pub(crate) session: SessionId,
    pub(crate) language: Language,
    pub(crate) user: Option<PlatformId>,
    pub(crate) return_url: Option<String>,
    pub(crate) answers: Answers,
}

impl JourneyBody {
    pub(crate) fn of(journey: &Journey) -> Self {
        JourneyBody {
            opened_at: journey.opened_at,
            session: journey.session,
            language: journey.language,
            user: journey.user.clone(),
            return_url: journey.return_url.clone(),
            answers: journey.answers.clone(),
        }
    }
}

record! {
    HealthProposalBody { tenure, premium, origin }
    HealthPolicyBody {
        status, kind, sum_insured, tenure, premium, previous, proposer, members, nominees, riders, origin,
    }
    JourneyBody { opened_at, session, language, user, return_url, answers }
    HomeAddress { line_1, line_2, city, state, country, pincode }
    BankAccount { bank_id, account_number, bank_name, branch_id, branch_name, ifsc }
    HealthProposer { name, phone, born, email, address, bank }
    InsuredMember { name, born, gender, relationship, illnesses }
    HealthNominee { name, relationship, phone }
    Consent { purpose, given, text_hash, at }
    HealthForm { proposer, gender, members, nominee }
    FamilyMember { member, illnesses }
    Chosen { quote, variant, catalogue, plan, sum_insured, deductible, copay_percent, porting }
    NamedPlan { insurer_id, insurer_name, insurer_logo, product_id, product_name, variant_id, variant_name }
    JourneyProposal { chosen, form, consents }
    ImportedProposal { plan, name, phone, email, quote_id, form_responses }
    Rider { id, name }
    IssuedPolicy { proposal, chosen, check, cover, settlement }
    ImportedPolicy { plan, proposal_id, quote_id, expires }
    Choice { variant, years, premium }
    CoverWanted { plan, sum_insured, deductible }
    Answers { family, pincode, has_illness, porting, cover, quote, choice, form, proposal }
}

impl Body for Ifsc {
    fn put(&self, to: &mut Vec<u8>) {
        self.reveal().to_owned().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        String::take(from).map(Ifsc::kept)
    }
}

impl Body for PolicyWord {
    fn put(&self, to: &mut Vec<u8>) {
        self.as_str().to_owned().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        String::take(from).map(PolicyWord::kept)
    }
}

impl Body for CheckCode {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        <[u8; 16]>::take(from).map(CheckCode)
    }
}

impl Body for ProposalOrigin {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            ProposalOrigin::Journey(made) => {
                to.push(0);
                made.put(to);
            }
            ProposalOrigin::Import(brought) => {
                to.push(1);
                brought.put(to);
            }
        }
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        match bytes(from, 1)? {
            [0] => Body::take(from).map(|made| ProposalOrigin::Journey(Box::new(made))),
            [1] => Body::take(from).map(|brought| ProposalOrigin::Import(Box::new(brought))),
            _ => Err(Damaged),
        }
    }
}

impl Body for PolicyOrigin {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            PolicyOrigin::Issued(issued) => {
                to.push(0);
                issued.put(to);
            }
            PolicyOrigin::Import(brought) => {
                to.push(1);
                brought.put(to);
            }
        }
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        match bytes(from, 1)? {
            [0] => Body::take(from).map(|issued| PolicyOrigin::Issued(Box::new(issued))),
            [1] => Body::take(from).map(|brought| PolicyOrigin::Import(Box::new(brought))),
            _ => Err(Damaged),
        }
    }
}
