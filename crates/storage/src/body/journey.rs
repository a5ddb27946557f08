//! Encoding of journeys, health proposals and health policies, in the encrypted body of their rows.

use domain::bank::BankAccount;
use domain::date::Timestamp;
use domain::health_policy::{HealthCover, ImportedPolicy, IssuedPolicy, PolicyOrigin, PolicyWord, Rider};
use domain::health_proposal::{
    Chosen, Consent, FamilyMember, HealthApplication, HealthForm, HealthNominee, HealthProposer, HomeAddress,
    ImportedProposal, InsuredMember, JourneyProposal, NamedPlan, ProposalOrigin, QuotedFamily,
};
use domain::id::SessionId;
use domain::journey::{Answers, Choice, CoverWanted, Journey};
use domain::language::Language;
use domain::person::PlatformId;

use super::newer::Rewritten;
use super::record::{record, union};
use super::records::{PolicyBody, ProposalBody};
use super::stored::{Stored, boxed};
use super::wire::{Reader, Unreadable, Writer};

pub(crate) type HealthProposalBody<'p> = ProposalBody<'p, HealthApplication>;

pub(crate) type HealthPolicyBody<'p> = PolicyBody<'p, HealthCover>;

/// Encrypted part of a journey. Ids, cookie, version and time last seen are columns instead.
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
    HealthProposalBody<'_> { 0: premium, 1: application, 2: reference }
    HealthApplication { 0: tenure, 1: origin }
    HealthPolicyBody<'_> {
        0: sum_insured, 1: premium, 2: cover, 3: check, 4: cancellation, 5: reference, 6: claims, 7: endorsements,
        8: renewable_until, 9: renewed_by,
    }
    HealthCover {
        0: status, 1: kind, 2: tenure, 3: previous, 4: proposer, 5: members, 6: nominees, 7: riders, 8: origin,
    }
    JourneyBody { 0: opened_at, 1: session, 2: language, 3: user, 4: return_url, 5: answers }
    HomeAddress { 0: line_1, 1: line_2, 2: city, 3: state, 4: country, 5: pincode }
    BankAccount { 0: bank_id, 1: account_number, 2: bank_name, 3: branch_id, 4: branch_name, 5: ifsc }
    HealthProposer { 0: name, 1: phone, 2: born, 3: email, 4: address, 5: bank }
    InsuredMember { 0: name, 1: born, 2: gender, 3: relationship, 4: illnesses }
    HealthNominee { 0: name, 1: relationship, 2: phone }
    Consent { 0: purpose, 1: given, 2: text_hash, 3: at, 4: text, 5: language }
    HealthForm { 0: proposer, 1: gender, 2: members, 3: nominee }
    FamilyMember { 0: member, 1: illnesses }
    Chosen {
        0: quote, 1: variant, 2: catalogue, 3: plan, 4: sum_insured, 5: deductible, 6: copay_percent, 7: porting,
        8: renewal,
    }
    NamedPlan {
        0: insurer_id, 1: insurer_name, 2: insurer_logo, 3: product_id, 4: product_name, 5: variant_id,
        6: variant_name,
    }
    QuotedFamily { 0: at, 1: pincode, 2: members, 3: has_ped, 4: illnesses }
    JourneyProposal { 0: quoted, 1: chosen, 2: form, 3: consents }
    ImportedProposal { 0: plan, 1: name, 2: phone, 3: email, 4: quote_id, 5: form_responses }
    Rider { 0: id, 1: name }
    IssuedPolicy { 0: chosen, 1: period, 2: settlement }
    ImportedPolicy { 0: plan, 1: proposal_id, 2: quote_id, 3: expires }
    Choice { 0: variant, 1: years, 2: premium }
    CoverWanted { 0: plan, 1: sum_insured, 2: deductible }
    Answers { 0: family, 1: pincode, 2: has_illness, 3: porting, 4: cover, 5: quote, 6: choice, 7: form, 8: proposal }
}

boxed!(JourneyProposal, ImportedProposal, IssuedPolicy, ImportedPolicy);

union! {
    ProposalOrigin {
        1 = (ProposalOrigin::Journey(made)) { 1: made },
        2 = (ProposalOrigin::Import(imported)) { 1: imported },
    }
}

union! {
    PolicyOrigin {
        1 = (PolicyOrigin::Issued(issued)) { 1: issued },
        2 = (PolicyOrigin::Import(imported)) { 1: imported },
    }
}

impl Rewritten for JourneyBody {
    // Index of the answers.
    const OPEN: &'static [usize] = &[5];
}

impl Stored for PolicyWord {
    fn write(&self, to: &mut Writer) {
        to.text(self.as_str());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        String::read(from).map(PolicyWord::kept)
    }
}
