//! Lists: which records each has, and the statements that read it, made of one text for all lists.

use std::borrow::Cow;

use domain::date::Date;
use domain::identifier::{Identifier, IdentifierKind, Reference};
use domain::line::LineOfBusiness;
use domain::policy_state::PolicyState;
use service::storage::{Identified, StorageError};

use super::counted::{Counted, day_number};
use super::tag;
use crate::codes::Coded;
use crate::seal::Seal;

/// The columns of a policy.
const POLICY_COLUMNS: &str = "policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version, document_read_at, line";

/// The columns of a claim.
const CLAIM_COLUMNS: &str =
    "claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, body";

/// What a list is of.
pub(crate) struct List {
    pub(crate) table: &'static str,
    /// The columns of a row. On PostgreSQL the table is named `q` there.
    pub(crate) columns: &'static str,
    /// The column by whose time the list is ordered, and of whose days it has pages.
    pub(crate) at: &'static str,
    pub(crate) id: &'static str,
    /// Which rows of the table are in the list.
    pub(crate) filter: Cow<'static, str>,
    /// What is counted of it, by day and by session: together they are the list.
    pub(crate) counted: &'static [Counted],
    /// Whether its rows are counted one by one instead, because the filter is narrower than what is counted.
    pub(crate) is_narrower: bool,
    /// As what its records have tags, where they can be listed by a reference.
    pub(crate) identified: Option<Identified>,
    /// What its records are called.
    pub(crate) name: &'static str,
}

impl List {
    /// The proposals of a line.
    pub(crate) const fn proposals(line: LineOfBusiness) -> Self {
        List {
            table: "proposals",
            columns: "proposal_id, created_at, changed_at, status, session_id, insurer_reference, reason, body",
            at: "created_at",
            id: "proposal_id",
            filter: Cow::Borrowed(of_line(line)),
            counted: match line {
                LineOfBusiness::CreditLife => &[Counted::Proposals(LineOfBusiness::CreditLife)],
                LineOfBusiness::Health => &[Counted::Proposals(LineOfBusiness::Health)],
            },
            is_narrower: false,
            identified: Some(Identified::Proposal(line)),
            name: match line {
                LineOfBusiness::CreditLife => "embedded proposals",
                LineOfBusiness::Health => "health proposals",
            },
        }
    }

    /// The policies of a line.
    pub(crate) const fn policies(line: LineOfBusiness) -> Self {
        List {
            table: "policies",
            columns: POLICY_COLUMNS,
            at: "issued_at",
            id: "policy_id",
            filter: Cow::Borrowed(of_line(line)),
            counted: match line {
                LineOfBusiness::CreditLife => &[Counted::Policies(LineOfBusiness::CreditLife)],
                LineOfBusiness::Health => &[Counted::Policies(LineOfBusiness::Health)],
            },
            is_narrower: false,
            identified: None,
            name: match line {
                LineOfBusiness::CreditLife => "embedded policies",
                LineOfBusiness::Health => "health policies",
            },
        }
    }

    /// The policies of every line; where a state is given, those that stand in it on a day.
    pub(crate) fn any_policies(state: Option<PolicyState>, today: Date) -> Self {
        let code = |state: PolicyState| state.code();
        let (issued, today) = (code(PolicyState::Issued), day_number(today));
        let filter = match state {
            None => Cow::Borrowed("true"),
            // An issued policy expires and lapses by its days alone (D66, D91).
            Some(PolicyState::Issued) => format!("state = {issued} and last_day >= {today}").into(),
            Some(PolicyState::Expired) => {
                let expired = code(PolicyState::Expired);
                let in_grace = format!("(renewable_until is null or renewable_until >= {today})");
                format!("(state = {expired} or state = {issued} and last_day < {today} and {in_grace})")
                    .into()
            }
            Some(PolicyState::Lapsed) => {
                let lapsed = code(PolicyState::Lapsed);
                format!("(state = {lapsed} or state = {issued} and renewable_until < {today})").into()
            }
            // The first condition is that of the index.
            Some(other) => format!("state <> {issued} and state = {}", code(other)).into(),
        };
        List {
            filter,
            counted: &[
                Counted::Policies(LineOfBusiness::CreditLife),
                Counted::Policies(LineOfBusiness::Health),
            ],
            is_narrower: state.is_some(),
            identified: Some(Identified::Policy),
            name: "policies",
            ..List::policies(LineOfBusiness::CreditLife)
        }
    }

    /// The claims of every line.
    pub(crate) const fn claims() -> Self {
        List {
            table: "claims",
            columns: CLAIM_COLUMNS,
            at: "created_at",
            id: "claim_id",
            filter: Cow::Borrowed("true"),
            counted: &[Counted::Claims],
            is_narrower: false,
            identified: None,
            name: "claims",
        }
    }

    /// The health quotes, with an engine's columns.
    pub(crate) const fn health_quotes(columns: &'static str) -> Self {
        List {
            table: "health_quotes",
            columns,
            at: "created_at",
            id: "quote_id",
            filter: Cow::Borrowed("true"),
            counted: &[Counted::HealthQuotes],
            is_narrower: false,
            identified: None,
            name: "health quotes",
        }
    }

    /// The tags under which its records lie that bear a reference: of two live keys, or the same twice.
    ///
    /// # Errors
    /// [`StorageError::Refused`] for a list that has none.
    pub(crate) fn tags(&self, seal: &Seal, reference: &Reference) -> Result<[[u8; 16]; 2], StorageError> {
        let none = || StorageError::Refused(format!("{} are not listed by a reference", self.name));
        let by = Identifier::of(IdentifierKind::Reference, reference.reveal());
        match tag::tags(seal, self.identified.ok_or_else(none)?, &by).as_slice() {
            [] => Err(StorageError::Damaged("there is no look-up key".into())),
            [first, rest @ ..] => Ok([*first, *rest.last().unwrap_or(first)]),
        }
    }

    /// A statement of this list.
    pub(crate) fn statement(&self, template: &str) -> String {
        let mut pieces = template.split('{');
        let mut text = String::with_capacity(2 * template.len());
        text.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let (name, rest) = piece.split_once('}').expect("a name within braces");
            text.push_str(match name {
                "table" => self.table,
                "columns" => self.columns,
                "at" => self.at,
                "id" => self.id,
                "filter" => &self.filter,
                other => unreachable!("no statement of a list names {other}"),
            });
            text.push_str(rest);
        }
        text
    }
}

/// The condition that a row is of a line, by the line's code. A test compares the two.
const fn of_line(line: LineOfBusiness) -> &'static str {
    match line {
        LineOfBusiness::CreditLife => "line = 1",
        LineOfBusiness::Health => "line = 2",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_filtered_by_its_code() {
        for line in LineOfBusiness::ALL {
            assert_eq!(of_line(*line), format!("line = {}", line.code()));
        }
    }
}
