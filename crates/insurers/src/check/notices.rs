//! Checks notices about policies, and requests to cancel a policy.

use axum::http::StatusCode;
use domain::id::PolicyId;
use service::insurer::RequestDecision;

use super::{Checker, describe, sample, sentence};
use crate::client::Answer;
use crate::protocol::notice::Acknowledgement;
use crate::protocol::request::RequestDecided;

impl Checker {
    /// Sends notices about a fictional policy, and checks the answers.
    pub(super) async fn notices(&mut self) {
        const TAKEN: &str = "A notice about a policy is acknowledged with its notice_id.";
        const AGAIN: &str = "A repeated notice is acknowledged again.";
        const NEXT: &str = "A later notice about the same policy is acknowledged.";
        let policy: PolicyId = self.ids.make();
        let issued = format!("NEW-{policy}");
        let first = sample::notice(policy, &issued, "NEW", self.today);
        let answer = self.send(&first).await;
        if answer.as_ref().is_ok_and(|answer| answer.status == StatusCode::NOT_FOUND) {
            let why = "The server answered 404. Set notices = false in the catalogue: the insurer then gets only bordereaux.";
            return self.skip("notice-taken", TAKEN, why);
        }
        let taken = acknowledged(answer, &issued);
        let is_taken = taken.is_ok();
        self.note("notice-taken", TAKEN, is_taken, taken.err().unwrap_or_default());
        if !is_taken {
            return;
        }
        let cancelled = format!("CANCEL-{policy}");
        let later = sample::notice(policy, &cancelled, "CANCEL", self.today);
        self.request(policy).await;
        for (name, wanted, request, id) in
            [("notice-again", AGAIN, &first, &issued), ("notice-next", NEXT, &later, &cancelled)]
        {
            let taken = acknowledged(self.send(request).await, id);
            self.note(name, wanted, taken.is_ok(), taken.err().unwrap_or_default());
        }
    }
}

impl Checker {
    /// Sends a request to cancel a fictional policy, and checks the decision.
    async fn request(&mut self, policy: PolicyId) {
        const DECIDED: &str =
            "A request gets a decision with its request_id; a repeated request gets the same decision.";
        let id = format!("ASK-CANCEL-{policy}-1");
        let request = sample::request(policy, &id, self.today);
        let mut decided = Vec::new();
        for _ in 0..2 {
            let answer = self.send(&request).await;
            if answer.as_ref().is_ok_and(|answer| answer.status == StatusCode::NOT_FOUND) {
                let why = "The server answered 404: the operator must decide cancellations and endorsements.";
                return self.skip("request-decided", DECIDED, why);
            }
            let read = answer.and_then(Answer::body).map_err(sentence);
            decided.push(read.and_then(|body| {
                RequestDecided::read(&body, &id).map_err(|wrong| sentence(wrong.in_full()))
            }));
        }
        let found = match &decided[..] {
            [Err(wrong), _] | [_, Err(wrong)] => wrong.clone(),
            // A pending request may have been decided meanwhile.
            [Ok(first), Ok(again)] if first != again && *first != RequestDecision::Pending => {
                "The repeated request got another decision.".to_owned()
            }
            _ => String::new(),
        };
        self.note("request-decided", DECIDED, found.is_empty(), found);
    }
}

/// Checks that an answer acknowledges the notice with this id. The error says what is wrong.
fn acknowledged(answer: Result<Answer, crate::client::ClientError>, id: &str) -> Result<(), String> {
    if answer.as_ref().is_ok_and(|answer| answer.status != StatusCode::OK) {
        return Err(describe(&answer));
    }
    let body = answer.and_then(Answer::body).map_err(sentence)?;
    Acknowledgement::read(&body, id).map_err(|wrong| sentence(wrong.in_full()))
}
