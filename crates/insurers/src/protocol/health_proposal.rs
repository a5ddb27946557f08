//! Submission of a health proposal: `POST /v1/health/proposals`.

use domain::date::day_of;
use domain::health_proposal::{HealthProposal, HealthProposer, InsuredMember, JourneyProposal};
use domain::health_quote::Member;
use domain::person::PersonalLine;
use domain::renewal::Renewal;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::number;

/// Body of the request that submits a health proposal.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct HealthProposalSubmitted {
    pub(crate) proposal_id: String,
    pub(crate) variant_id: String,
    quoted: Quoted,
    tenure: u8,
    premium: PremiumQuoted,
    plan_type: String,
    sum_insured: String,
    deductible: String,
    copay_percent: u8,
    porting: Option<Porting>,
    /// Policy that this proposal renews, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    renews: Option<Renews>,
    proposer: Proposer,
    insured_members: Vec<Insured>,
    nominee: Nominee,
    consents: Vec<Consent>,
}

/// Facts from which the premium was quoted. The insurer can price the proposal again with these facts.
#[derive(Clone, Serialize, Deserialize)]
struct Quoted {
    on: String,
    pincode: String,
    members: Vec<MemberQuoted>,
    has_ped: bool,
    illnesses: Vec<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct MemberQuoted {
    relation: String,
    age: Number,
}

#[derive(Clone, Serialize, Deserialize)]
struct PremiumQuoted {
    base_premium: String,
    gst: String,
    total_premium: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct Porting {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tenure: Option<Number>,
}

/// Existing policy that the proposal renews.
#[derive(Clone, Serialize, Deserialize)]
struct Renews {
    policy_id: String,
    certificate_number: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    policy_number: Option<String>,
    cover_ended: String,
    covered_since: String,
}

impl Renews {
    fn of(renewal: &Renewal) -> Self {
        Renews {
            policy_id: renewal.policy.to_string(),
            certificate_number: renewal.number.to_string(),
            policy_number: renewal.insurer_number.as_ref().map(ToString::to_string),
            cover_ended: renewal.ended.to_string(),
            covered_since: renewal.covered_since.to_string(),
        }
    }
}

#[derive(Clone, Serialize, Deserialize)]
struct Proposer {
    name: String,
    gender: String,
    date_of_birth: String,
    mobile: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    address: Address,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bank: Option<Bank>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Address {
    address_line_1: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address_line_2: Option<String>,
    city: String,
    state: String,
    country: String,
    pincode: String,
}

/// Bank account to which refunds are paid.
#[derive(Clone, Serialize, Deserialize)]
struct Bank {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account_number: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bank_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    branch_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ifsc_code: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Insured {
    relation: String,
    name: String,
    date_of_birth: String,
    gender: String,
    illnesses: Vec<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Nominee {
    name: String,
    relationship: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mobile: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Consent {
    purpose: String,
    given: bool,
    at: String,
}

fn text(line: &PersonalLine) -> String {
    line.reveal().to_owned()
}

impl HealthProposalSubmitted {
    /// Builds the body of the submission.
    pub(crate) fn of(proposal: &HealthProposal, made: &JourneyProposal) -> Self {
        let JourneyProposal { quoted: asked, chosen, form, consents } = made;
        let quoted = |member: &Member| MemberQuoted {
            relation: member.relation.word().into(),
            age: number(member.age.as_decimal()),
        };
        let insured = |(asked, filled): (&Member, &InsuredMember)| Insured {
            relation: asked.relation.word().into(),
            name: text(&filled.name),
            date_of_birth: filled.born.reveal().to_string(),
            gender: text(&filled.gender),
            illnesses: filled.illnesses.iter().map(text).collect(),
        };
        HealthProposalSubmitted {
            proposal_id: proposal.id.to_string(),
            variant_id: chosen.variant.to_string(),
            quoted: Quoted {
                on: day_of(asked.at).to_string(),
                pincode: asked.pincode.reveal().into(),
                members: asked.members.iter().map(quoted).collect(),
                has_ped: asked.has_ped,
                illnesses: asked.illnesses.clone(),
            },
            tenure: proposal.application.tenure,
            premium: PremiumQuoted {
                base_premium: proposal.premium.base().to_string(),
                gst: proposal.premium.gst().to_string(),
                total_premium: proposal.premium.total().to_string(),
            },
            plan_type: chosen.plan.word().into(),
            sum_insured: chosen.sum_insured.to_string(),
            deductible: chosen.deductible.to_string(),
            copay_percent: chosen.copay_percent,
            porting: chosen.porting.map(|porting| Porting { tenure: porting.tenure.map(number) }),
            renews: chosen.renewal.as_ref().map(Renews::of),
            proposer: proposer(&form.proposer, &form.gender),
            insured_members: asked.members.iter().zip(&form.members).map(insured).collect(),
            nominee: Nominee {
                name: text(&form.nominee.name),
                relationship: text(&form.nominee.relationship),
                mobile: form.nominee.phone.as_ref().map(|phone| phone.reveal().to_owned()),
            },
            consents: consents
                .iter()
                .map(|consent| Consent {
                    purpose: consent.purpose.word().into(),
                    given: consent.given,
                    at: consent.at.to_string(),
                })
                .collect(),
        }
    }
}

fn proposer(person: &HealthProposer, gender: &PersonalLine) -> Proposer {
    let address = &person.address;
    Proposer {
        name: text(&person.name),
        gender: text(gender),
        date_of_birth: person.born.reveal().to_string(),
        mobile: person.phone.reveal().to_owned(),
        email: person.email.as_ref().map(|email| email.reveal().to_owned()),
        address: Address {
            address_line_1: text(&address.line_1),
            address_line_2: address.line_2.as_ref().map(text),
            city: text(&address.city),
            state: text(&address.state),
            country: text(&address.country),
            pincode: address.pincode.reveal().to_owned(),
        },
        bank: person.bank.as_ref().map(|bank| Bank {
            account_number: bank.account_number.as_ref().map(text),
            bank_name: bank.bank_name.as_ref().map(text),
            branch_name: bank.branch_name.as_ref().map(text),
            ifsc_code: bank.ifsc.as_ref().map(|code| code.reveal().to_owned()),
        }),
    }
}
