//! Checks that a proposal gets a decision, and that a repeated proposal gets the same decision.

use axum::http::StatusCode;
use domain::id::ProposalId;
use domain::money::Rupees;
use service::insurer::InsurerDecision;

use super::{Checker, describe, refuses, sentence};
use crate::client::{Answer, Request};
use crate::http_insurer::get;
use crate::protocol::decision::Decision;
use crate::protocol::decision_path;

/// Line of business, with its proposal.
pub(super) struct Family<'a> {
    /// Prefix for the names of the results.
    pub(super) name: &'static str,
    /// Reason that is reported if no proposal can be built.
    pub(super) unpriced: &'static str,
    /// Builds a proposal for a priced variant. Its premium is raised by an amount in rupees. `None` if no
    /// price could be parsed.
    pub(super) propose: Option<&'a (dyn Fn(ProposalId, Rupees) -> Request + Sync)>,
}

impl Checker {
    /// Requests the decision on a proposal that does not exist. The server must answer 404.
    pub(super) async fn unknown_proposal(&mut self) {
        const UNKNOWN: &str = "A request for the decision on an unknown proposal is answered with 404.";
        let unknown: ProposalId = self.ids.make();
        let answer = self.send(&get(decision_path(unknown))).await;
        let good = answer.as_ref().is_ok_and(|answer| answer.status == StatusCode::NOT_FOUND);
        self.note("proposal-unknown", UNKNOWN, good, if good { String::new() } else { describe(&answer) });
    }

    /// Checks proposals of one line of business.
    pub(super) async fn proposals(&mut self, Family { name, unpriced, propose }: Family<'_>) {
        const TAKEN: &str = "A proposal is answered with a decision; an acceptance has a policy number.";
        const ONCE: &str = "A repeated proposal gets the same decision.";
        const OTHER: &str =
            "Another body with the same Idempotency-Key is refused with a status from 400 to 499.";
        const ASKED: &str = "A request for the decision on a proposal gets the same decision.";
        let named = |what: &str| format!("{name}-{what}");
        let Some(propose) = propose else { return self.skip(named("taken"), TAKEN, unpriced) };
        let id: ProposalId = self.ids.make();
        let submission = propose(id, Rupees::ZERO);
        let first = match self.decision(&submission, id).await {
            Ok(decision) => decision,
            Err(wrong) => return self.note(named("taken"), TAKEN, false, wrong),
        };
        self.note(named("taken"), TAKEN, true, in_words(&first));
        let again = self.decision(&submission, id).await;
        self.agree(named("once"), ONCE, &first, again);
        let answer = self.send(&propose(id, Rupees::whole(1))).await;
        self.note(named("other-body"), OTHER, refuses(&answer), describe(&answer));
        let asked = self.decision(&get(decision_path(id)), id).await;
        self.agree(named("asked"), ASKED, &first, asked);
    }

    /// Sends a request, and parses the decision on the proposal from its answer.
    async fn decision(&mut self, request: &Request, of: ProposalId) -> Result<InsurerDecision, String> {
        let body = self.send(request).await.and_then(Answer::body).map_err(sentence)?;
        Decision::read(&body, of).map_err(|wrong| sentence(wrong.in_full()))
    }

    fn agree(
        &mut self,
        name: String,
        wanted: &'static str,
        first: &InsurerDecision,
        again: Result<InsurerDecision, String>,
    ) {
        let found = match &again {
            // A pending proposal may have been decided meanwhile.
            Ok(again) if again == first || *first == InsurerDecision::Pending => None,
            Ok(again) => Some(format!("{} After that: {}", in_words(first), in_words(again))),
            Err(wrong) => Some(wrong.clone()),
        };
        self.note(name, wanted, found.is_none(), found.unwrap_or_default());
    }
}

fn in_words(decision: &InsurerDecision) -> String {
    match decision {
        InsurerDecision::Pending | InsurerDecision::Unknown => "The proposal is pending.".into(),
        InsurerDecision::Accepted { number } => format!("The proposal is accepted as {number}."),
        InsurerDecision::Rejected { .. } => "The proposal is rejected.".into(),
    }
}
