//! Submission of a credit-life proposal: `POST /v1/proposals`.

use domain::credit_life::{CreditApplication, EmbeddedProposal};
use domain::date::day_of;
use serde::{Deserialize, Serialize};

use super::person::{Nominee, Person};
use super::{Entry, entries};

/// Body of the request that submits a credit-life proposal.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct ProposalSubmitted {
    pub(crate) proposal_id: String,
    pub(crate) variant_id: String,
    quoted: Quoted,
    premium: PremiumQuoted,
    cover_amount: String,
    policy_term: u32,
    proposer: Person,
    insured_members: Vec<Person>,
    nominees: Vec<Nominee>,
    context_data: Vec<Entry>,
}

/// Facts from which the premium was quoted. The insurer can price the proposal again with these facts.
/// Proposer and insured members can be different people (D61).
#[derive(Clone, Serialize, Deserialize)]
struct Quoted {
    on: String,
    date_of_birth: String,
    gender: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct PremiumQuoted {
    base_premium: String,
    gst: String,
    total_premium: String,
}

impl ProposalSubmitted {
    /// Builds the body of the submission.
    pub(crate) fn of(proposal: &EmbeddedProposal) -> Self {
        let CreditApplication { variant, quoted, request } = &proposal.application;
        let asked = &quoted.request;
        // Values of the proposal override values of its quote.
        let mut context_data = entries(&request.context);
        let keys: Vec<String> = context_data.iter().map(|entry| entry.key.clone()).collect();
        context_data.extend(entries(&asked.context).into_iter().filter(|entry| !keys.contains(&entry.key)));
        ProposalSubmitted {
            proposal_id: proposal.id.to_string(),
            variant_id: variant.to_string(),
            quoted: Quoted {
                on: day_of(quoted.at).to_string(),
                date_of_birth: asked.born.reveal().to_string(),
                gender: asked.gender.word().into(),
            },
            premium: PremiumQuoted {
                base_premium: proposal.premium.base().to_string(),
                gst: proposal.premium.gst().to_string(),
                total_premium: proposal.premium.total().to_string(),
            },
            cover_amount: asked.cover.amount().to_string(),
            policy_term: asked.term.as_months(),
            proposer: Person::of(&request.proposer),
            insured_members: request.insured_members.iter().map(Person::of).collect(),
            nominees: request.nominees.iter().map(Nominee::of).collect(),
            context_data,
        }
    }
}
