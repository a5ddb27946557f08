//! Request to an insurer for a decision about one of its policies: `POST /v1/policy-requests`.

use domain::person::PersonalLine;
use serde::{Deserialize, Serialize};
use service::insurer::{PolicyRequest, RequestDecision, Requested, Submission};

use super::answer::{self, WrongAnswer};
use super::health_proposal::HealthProposalSubmitted;
use super::notice::{Cancelled, Endorsed, Policy};
use super::proposal::ProposalSubmitted;

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct DecisionAsked {
    pub(crate) request_id: String,
    request: Wanted,
    at: String,
    policy: Policy,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proposal: Option<ProposalSubmitted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    health_proposal: Option<HealthProposalSubmitted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    endorsement: Option<Endorsed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cancellation: Option<Cancelled>,
}

/// Change of the policy that the insurer must decide.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Wanted {
    Endorse,
    Cancel,
}

impl DecisionAsked {
    /// Builds the request that is sent to the insurer.
    pub(crate) fn of(request: &PolicyRequest<'_>) -> Self {
        let mut asked = DecisionAsked {
            request_id: request.id.clone(),
            request: Wanted::Cancel,
            at: request.at.to_string(),
            policy: Policy::of(request.policy, request.covered),
            proposal: None,
            health_proposal: None,
            endorsement: None,
            cancellation: None,
        };
        match request.wanted {
            Requested::Cancellation(cancellation) => asked.cancellation = Some(Cancelled::of(cancellation)),
            Requested::Endorsement(endorsement) => {
                asked.request = Wanted::Endorse;
                asked.endorsement = Some(Endorsed::of(endorsement));
                match request.submission {
                    Some(Submission::CreditLife(proposal)) => {
                        asked.proposal = Some(ProposalSubmitted::of(proposal));
                    }
                    Some(Submission::Health { proposal, made }) => {
                        asked.health_proposal = Some(HealthProposalSubmitted::of(proposal, made));
                    }
                    None => {}
                }
            }
        }
        asked
    }
}

/// Answer of the insurer to such a request.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RequestDecided {
    request_id: String,
    decision: Word,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Decision in the protocol's words.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Pending,
    Confirmed,
    Refused,
}

impl RequestDecided {
    /// Builds the decision on a request, as an insurer's server does.
    pub(crate) fn of(request_id: &str, decided: &RequestDecision) -> Self {
        let (decision, reason) = match decided {
            RequestDecision::Pending => (Word::Pending, None),
            RequestDecision::Confirmed => (Word::Confirmed, None),
            RequestDecision::Refused { reason } => {
                (Word::Refused, reason.as_ref().map(|reason| reason.reveal().to_owned()))
            }
        };
        RequestDecided { request_id: request_id.to_owned(), decision, reason }
    }

    /// Parses the decision on this request.
    ///
    /// # Errors
    /// [`WrongAnswer`] if the body is not a valid decision on the request with the id `of`.
    pub(crate) fn read(body: &[u8], of: &str) -> Result<RequestDecision, WrongAnswer> {
        let answered: RequestDecided = answer::read(body)?;
        if answered.request_id != of {
            return Err(WrongAnswer::Content("the decision is for another request".into()));
        }
        Ok(match answered.decision {
            Word::Pending => RequestDecision::Pending,
            Word::Confirmed => RequestDecision::Confirmed,
            Word::Refused => RequestDecision::Refused {
                reason: answered.reason.as_deref().and_then(PersonalLine::of_words),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_decision_is_read_unchanged_and_only_for_its_own_request() {
        for decided in [
            RequestDecision::Pending,
            RequestDecision::Confirmed,
            RequestDecision::Refused { reason: None },
            RequestDecision::Refused { reason: PersonalLine::of_words("The form is not signed.") },
        ] {
            let written = serde_json::to_vec(&RequestDecided::of("CANCEL-1", &decided)).expect("text");
            assert_eq!(RequestDecided::read(&written, "CANCEL-1").expect("its own words"), decided);
            assert!(RequestDecided::read(&written, "CANCEL-2").is_err());
        }
    }
}
