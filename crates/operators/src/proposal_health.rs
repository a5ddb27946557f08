//! A health proposal, as text and as JSON.

use domain::health_policy::HealthPolicy;
use domain::health_proposal::{HealthProposal, HealthProposalStatus, ProposalOrigin};
use domain::proposal::Move;
use serde_json::{Value, json};
use service::line::person::Facts;

use crate::answer::Answer;
use crate::facts;
use crate::moves::{history_in_prose, history_to_json};

/// Data of a health proposal to show. Without `facts`, only the reasons of status changes may be personal.
pub(crate) struct Shown<'a> {
    pub(crate) proposal: &'a HealthProposal,
    pub(crate) history: &'a [Move<HealthProposalStatus>],
    pub(crate) policy: Option<&'a HealthPolicy>,
    /// All data of the application, if the operator requested personal data.
    pub(crate) facts: Option<Facts>,
}

impl Shown<'_> {
    /// Origin, quote id, variant id and number of insured members of the proposal.
    fn origin(&self) -> (&'static str, String, String, usize) {
        match &self.proposal.application.origin {
            ProposalOrigin::Journey(made) => (
                "journey",
                made.chosen.quote.to_string(),
                made.chosen.variant.to_string(),
                made.form.members.len(),
            ),
            ProposalOrigin::Import(brought) => {
                ("import", brought.quote_id.clone(), brought.plan.variant_id.clone(), 0)
            }
        }
    }

    pub(crate) fn answer(&self) -> Answer {
        let proposal = self.proposal;
        let (origin, quote, variant, insured) = self.origin();
        let premium = proposal.premium;
        let mut lines = vec![
            format!("proposal_id  {}", proposal.id),
            format!("family       health, {origin}"),
            format!("partner_id   {}", proposal.partner),
            format!("status       {}", proposal.status),
            format!("quote_id     {quote}"),
            format!("variant_id   {variant}"),
            format!("premium      {} + {} tax = {}", premium.base(), premium.gst(), premium.total()),
            format!(
                "tenure       {} {}",
                proposal.application.tenure,
                if proposal.application.tenure == 1 { "year" } else { "years" }
            ),
        ];
        if insured > 0 {
            lines.push(format!("insured      {insured}"));
        }
        if let Some(session) = proposal.session {
            lines.push(format!("session_id   {session}"));
        }
        if let Some(policy) = self.policy {
            lines.push(format!("policy       {}, cover to {}", policy.number, policy.cover.expires()));
            if let Some(number) = &policy.insurer_number {
                lines.push(format!("insurer's no. {number}"));
            }
        }
        lines.extend(self.facts.iter().flat_map(|facts| facts::in_prose(facts, 0)));
        lines.push("history".into());
        lines.extend(history_in_prose(self.history));
        let mut answer = Answer::of(self.to_json());
        lines.iter().for_each(|line| answer.data(line));
        answer
    }

    fn to_json(&self) -> Value {
        let proposal = self.proposal;
        let (origin, quote, variant, _) = self.origin();
        json!({
            "proposal_id": proposal.id.to_string(),
            "family": "health",
            "origin": origin,
            "partner_id": proposal.partner.to_string(),
            "session_id": proposal.session.map(|session| session.to_string()),
            "status": proposal.status.word(),
            "quote_id": quote,
            "variant_id": variant,
            "tenure": proposal.application.tenure,
            "base_premium": proposal.premium.base().to_string(),
            "gst": proposal.premium.gst().to_string(),
            "total_premium": proposal.premium.total().to_string(),
            "created_at": proposal.created_at.to_string(),
            "changed_at": proposal.changed_at.to_string(),
            "policy": self.policy.map(|policy| json!({
                "policy_id": policy.id.to_string(),
                "policy_number": policy.number.as_str(),
                "insurer_policy_number": policy.insurer_number.as_ref().map(ToString::to_string),
                "cover_ends": policy.cover.expires().to_string(),
                "issued_at": policy.issued_at.to_string(),
            })),
            "application": self.facts.as_ref().map(facts::to_json),
            "history": history_to_json(self.history),
        })
    }
}
