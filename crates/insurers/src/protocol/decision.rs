//! Decision of an insurer on a proposal. It is the answer to a request, or a message that the insurer sends.

use domain::id::ProposalId;
use domain::person::PersonalLine;
use domain::policy::PolicyNumber;
use domain::text::FromText;
use serde::{Deserialize, Serialize};
use service::insurer::InsurerDecision;

use super::answer::{self, WrongAnswer};

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Decision {
    proposal_id: String,
    decision: Word,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    policy_number: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Decision in the protocol's words.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Pending,
    Accepted,
    Rejected,
}

impl Decision {
    /// Builds a decision, as an insurer's server does.
    pub(crate) fn of(proposal: ProposalId, decided: &InsurerDecision) -> Self {
        let (decision, policy_number, reason) = match decided {
            InsurerDecision::Pending => (Word::Pending, None, None),
            InsurerDecision::Accepted { number } => (Word::Accepted, Some(number.as_str().to_owned()), None),
            InsurerDecision::Rejected { reason } => {
                (Word::Rejected, None, reason.as_ref().map(|reason| reason.reveal().to_owned()))
            }
            InsurerDecision::Unknown => (Word::Pending, None, None),
        };
        Decision { proposal_id: proposal.to_string(), decision, policy_number, reason }
    }

    /// Parses the decision on this proposal.
    ///
    /// # Errors
    /// [`WrongAnswer`] if the body is not a valid decision on this proposal.
    pub(crate) fn read(body: &[u8], of: ProposalId) -> Result<InsurerDecision, WrongAnswer> {
        let wrong = |what: &str| Err(WrongAnswer::Content(format!("the decision is wrong: {what}")));
        let answered: Decision = answer::read(body)?;
        if answered.proposal_id != of.to_string() {
            return wrong("the answer is for another proposal");
        }
        match (answered.decision, answered.policy_number) {
            (Word::Accepted, Some(number)) => match PolicyNumber::from_text(&number) {
                Ok(number) => Ok(InsurerDecision::Accepted { number }),
                Err(_) => wrong("the policy_number is not 1 to 100 printable characters"),
            },
            (Word::Accepted, None) => wrong("an acceptance has no policy_number"),
            (Word::Pending | Word::Rejected, Some(_)) => wrong("there is a policy_number, but no acceptance"),
            (Word::Pending, None) => Ok(InsurerDecision::Pending),
            (Word::Rejected, None) => Ok(InsurerDecision::Rejected {
                reason: answered.reason.as_deref().and_then(PersonalLine::of_words),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::id::Uuid;

    use super::*;

    #[test]
    fn a_written_decision_is_read_unchanged_and_only_for_its_own_proposal() {
        let proposal = ProposalId::from_uuid(Uuid::from_u128(7));
        for decided in [
            InsurerDecision::Pending,
            InsurerDecision::Accepted { number: PolicyNumber::kept("MOCK-7".into()) },
            InsurerDecision::Rejected { reason: None },
            InsurerDecision::Rejected { reason: PersonalLine::of_words("Not above 60.") },
        ] {
            let written = serde_json::to_vec(&Decision::of(proposal, &decided)).expect("text");
            assert_eq!(Decision::read(&written, proposal).expect("its own words"), decided);
            assert!(Decision::read(&written, ProposalId::from_uuid(Uuid::from_u128(8))).is_err());
        }
    }
}
