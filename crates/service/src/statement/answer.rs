//! An insurer's answer to a premium bordereau, taken as a whole or not at all (D87).
//!
//! The answer says which rows the insurer accepts or rejects, with the insurer's policy numbers.

use std::collections::BTreeMap;

use domain::date::day_of;
use domain::id::PolicyId;
use domain::policy::{Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use domain::statement::{Month, Recipient, RowKey, Statement, StatementKind, Transaction};

use super::StatementService;
use crate::error::{Error, Fault, Faults, Result};
use crate::policy::PolicyShown;
use crate::storage::statements::{AnswerKept, RowAnswer};

/// Most rows of an answer, because an answer is saved in one transaction. A longer answer must be sent in
/// several parts.
const MOST_ROWS: usize = 20_000;

/// Most attempts to record an answer while its policies change.
const ATTEMPTS: usize = 4;

/// Row of an insurer's answer.
#[derive(Debug, Clone)]
pub struct AnswerLine {
    /// Number of the line in the answer's file, for messages.
    pub line: u64,
    /// Id of the answered row in the bordereau.
    pub row_id: String,
    /// Whether the insurer accepts the answered row.
    pub accepted: bool,
    /// Insurer's number of the policy, if the answer has it.
    pub number: Option<PolicyNumber>,
    /// Reason of the insurer for a rejection.
    pub reason: Option<String>,
}

/// Result of taking an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answered {
    /// Rows that the insurer accepts.
    pub accepted: usize,
    /// Rows that the insurer rejects.
    pub rejected: usize,
    /// Policies that received the insurer's number by this answer.
    pub numbered: usize,
    /// Whether the same answer was given before. Then nothing was changed.
    pub is_twin: bool,
}

impl StatementService {
    /// Takes an insurer's answer to a premium bordereau.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Invalid`] with every fault by its line; [`Error::TooLarge`];
    /// [`Error::Conflict`] if the statement is not a premium bordereau, or a policy is being changed.
    pub async fn answer(&self, number: &str, lines: &[AnswerLine]) -> Result<Answered> {
        let statement = self.numbered(number).await?;
        if statement.kind != StatementKind::Premium {
            return Err(Error::conflict(format!(
                "{number} is not a premium bordereau. Only premium bordereaux have answers."
            )));
        }
        if lines.len() > MOST_ROWS {
            return Err(Error::TooLarge(format!(
                "An answer may have at most {MOST_ROWS} rows. Split it into several."
            )));
        }
        for _ in 0..ATTEMPTS {
            if let Some(answered) = self.try_answer(&statement, lines).await? {
                return Ok(answered);
            }
        }
        Err(Error::conflict(
            "Policies of this answer are being changed by another request. Try again.".into(),
        ))
    }

    /// Answers to a statement, by row.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn answers(&self, statement: &Statement) -> Result<Vec<RowAnswer>> {
        Ok(self.shared.storage.answers(statement.id).await?)
    }

    /// Tries to record an answer. `None` if a policy or another answer changed meanwhile.
    async fn try_answer(&self, statement: &Statement, lines: &[AnswerLine]) -> Result<Option<Answered>> {
        let before: BTreeMap<RowKey, RowAnswer> = self
            .shared
            .storage
            .answers(statement.id)
            .await?
            .into_iter()
            .map(|answer| (answer.key, answer))
            .collect();
        let mut faults = Faults::default();
        let (mut answers, mut twins) = (BTreeMap::new(), 0);
        let mut numbered: BTreeMap<PolicyId, Policy> = BTreeMap::new();
        for line in lines {
            let mut fault = |message: String| {
                faults.0.push(Fault { field: format!("line {}", line.line), message });
            };
            let Some(key) = RowKey::of_text(&line.row_id) else {
                fault(format!("{:?} is not the row_id of a row of {}.", line.row_id, statement.number));
                continue;
            };
            let Some(shown) = self.told_in(statement, key).await? else {
                fault(format!("{} is not a row of {}.", line.row_id, statement.number));
                continue;
            };
            if answers.contains_key(&key) {
                fault(format!("{} is already answered in an earlier line.", line.row_id));
                continue;
            }
            let (accepted, reason) = (line.accepted, line.reason.clone());
            let answer = RowAnswer { key, accepted, number: line.number.clone(), reason };
            match before.get(&key) {
                Some(earlier) if *earlier == answer => twins += 1,
                Some(_) => fault(format!("{} already has a different answer.", line.row_id)),
                None => {}
            }
            // If a row is rejected, its policy number may belong to another policy.
            if let Some(number) = line.number.as_ref().filter(|_| accepted) {
                let mut any = numbered.get(&key.policy).cloned().unwrap_or(shown.policy);
                let there = any.insurer_number.clone();
                match there {
                    Some(there) if there != *number => {
                        fault(format!("The insurer's number of this policy is {there}, not {number}."));
                    }
                    Some(_) => {}
                    None => {
                        any.insurer_number = Some(number.clone());
                        numbered.insert(key.policy, any);
                    }
                }
            }
            answers.insert(key, answer);
        }
        if twins > 0 && twins < answers.len() && faults.0.is_empty() {
            let message = "Some of these rows were already answered. Leave them out.";
            return Err(Error::conflict(message.into()));
        }
        if !faults.0.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let accepted = answers.values().filter(|answer| answer.accepted).count();
        let rejected = answers.len() - accepted;
        let is_twin = twins == answers.len();
        if !is_twin {
            let answers: Vec<RowAnswer> = answers.into_values().collect();
            let policies: Vec<Policy> = numbered.values().cloned().collect();
            match self
                .shared
                .storage
                .keep_answer(statement.id, &answers, &policies, self.shared.clock.now())
                .await?
            {
                AnswerKept::Done => {}
                AnswerKept::Lost => return Ok(None),
            }
        }
        Ok(Some(Answered { accepted, rejected, numbered: numbered.len(), is_twin }))
    }

    /// Policy that a row of this premium bordereau reports. `None` if the row is not in this bordereau.
    async fn told_in(&self, statement: &Statement, key: RowKey) -> Result<Option<PolicyShown>> {
        let of = match self.policies.owner(key.policy).await {
            Ok(of) => of,
            Err(Error::Unknown { .. }) => return Ok(None),
            Err(other) => return Err(other),
        };
        let today = day_of(self.shared.clock.now());
        let shown = self.policies.shown(self.policies.find(of, key.policy).await?, today).await?;
        let Some(product) = &shown.covered.product else { return Ok(None) };
        let master = product.master_policy.as_ref().map_or("", |master| master.number.as_str());
        let at = match key.transaction {
            Transaction::New => shown.policy.proposal.map(|_| shown.policy.issued_at),
            Transaction::Endorse => shown
                .policy
                .made_endorsements()
                .nth(usize::from(key.nth).wrapping_sub(1))
                .and_then(|made| made.decided_at),
            Transaction::Cancel => {
                Some(shown.policy.changed_at).filter(|_| shown.policy.state == PolicyState::Cancelled)
            }
        };
        let is_here = Recipient::Insurer(product.insurer.id) == statement.recipient
            && master == statement.subject
            && at.map(|at| Month::of(day_of(at))) == Some(statement.month);
        Ok(Some(shown).filter(|_| is_here))
    }
}
