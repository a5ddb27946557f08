//! Whether proposals are taken once, and decided the same whenever asked.

use axum::http::StatusCode;
use domain::id::ProposalId;
use domain::money::Rupees;
use service::insurer::InsurerDecision;

use super::{Checker, describe, refuses, sentence};
use crate::client::{Answer, Request};
use crate::http_insurer::get;
use crate::protocol::decision::Decision;
use crate::protocol::decision_path;

/// One of the two families, with what is handed over of it.
pub(super) struct Family<'a> {
    /// What findings begin with.
    pub(super) name: &'static str,
    /// Why there is nothing to propose, where there is not.
    pub(super) unpriced: &'static str,
    /// A proposal of a variant that has a price, and so many rupees more; none where no price could be read.
    pub(super) propose: Option<&'a (dyn Fn(ProposalId, Rupees) -> Request + Sync)>,
}

impl Checker {
    /// Looks at what is answered of a proposal that there is not.
    pub(super) async fn unknown_proposal(&mut self) {
        const UNKNOWN: &str = "The decision of a proposal that was never handed over is answered 404.";
        let unknown: ProposalId = self.ids.make();
        let answer = self.send(&get(decision_path(unknown))).await;
        let good = answer.as_ref().is_ok_and(|answer| answer.status == StatusCode::NOT_FOUND);
        self.note("proposal-unknown", UNKNOWN, good, if good { String::new() } else { describe(&answer) });
    }

    /// Looks at proposals of one family.
    pub(super) async fn proposals(&mut self, Family { name, unpriced, propose }: Family<'_>) {
        const TAKEN: &str =
            "A proposal is taken and answered with a decision, an acceptance with a policy number.";
        const ONCE: &str = "The same proposal, handed over again, gets the same decision.";
        const OTHER: &str =
            "Another body under the same Idempotency-Key is refused with a status from 400 to 499.";
        const ASKED: &str = "The decision of a proposal can be asked for, and agrees.";
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

    /// Sends a request that a decision answers.
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
            // It may have been decided meanwhile.
            Ok(again) if again == first || *first == InsurerDecision::Pending => None,
            Ok(again) => Some(format!("{} After that: {}", in_words(first), in_words(again))),
            Err(wrong) => Some(wrong.clone()),
        };
        self.note(name, wanted, found.is_none(), found.unwrap_or_default());
    }
}

fn in_words(decision: &InsurerDecision) -> String {
    match decision {
        InsurerDecision::Pending | InsurerDecision::Unknown => "It is pending.".into(),
        InsurerDecision::Accepted { number } => format!("It is accepted as {number}."),
        InsurerDecision::Rejected { .. } => "It is rejected.".into(),
    }
}
