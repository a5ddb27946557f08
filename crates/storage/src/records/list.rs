//! Lists: which records each has, and the statements that read it, made of one text for all lists.

use std::borrow::Cow;

use domain::date::Date;
use domain::id::PartnerId;
use domain::identifier::{Identifier, IdentifierKind, Reference};
use domain::line::LineOfBusiness;
use domain::policy_state::PolicyState;
use ports::storage::lists::{Beyond, ListPosition, ListStart, Page, Selection};
use ports::storage::{Identified, Result, StorageError};

use super::counted::{Counted, day_number};
use super::position::{Days, Listed, NEWEST};
use super::{id_bytes, tag};
use crate::act::{Statement, sql};
use crate::codes::Coded;
use crate::fields::{Fields, ToValue, Value};
use crate::seal::Seal;
use crate::store::Store;

const POLICY_COLUMNS: &str = "policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version, document_read_at, line";

const CLAIM_COLUMNS: &str =
    "claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, body";

pub(crate) struct List {
    pub(crate) table: &'static str,
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

    /// The health quotes. What came of their asks is read beside them.
    pub(crate) const fn health_quotes() -> Self {
        List {
            table: "health_quotes",
            columns: "quote_id, created_at, body, outcome",
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
    pub(crate) fn tags(&self, seal: &Seal, reference: &Reference) -> Result<[[u8; 16]; 2]> {
        let none = || StorageError::Refused(format!("{} are not listed by a reference", self.name));
        let by = Identifier::of(IdentifierKind::Reference, reference.reveal());
        match tag::tags(seal, self.identified.ok_or_else(none)?, &by).as_slice() {
            [] => Err(StorageError::Damaged("there is no look-up key".into())),
            [first, rest @ ..] => Ok([*first, *rest.last().unwrap_or(first)]),
        }
    }

    /// A statement of this list.
    pub(crate) fn statement(&self, template: &str) -> String {
        self.statement_on(&OLDER, template)
    }

    /// A statement of what lies on a side of a position, nearest first.
    fn statement_on(&self, side: &Side, template: &str) -> String {
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
                "within" => side.within,
                "beyond" => side.beyond,
                "order" => side.order,
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

/// A side of a position.
struct Side {
    /// How the last record on it lies to the bound of the selection.
    within: &'static str,
    /// How its records lie to the position.
    beyond: &'static str,
    order: &'static str,
}

const OLDER: Side = Side { within: ">=", beyond: "<", order: "desc" };
const NEWER: Side = Side { within: "<", beyond: ">", order: "asc" };

/// A statement of a list, with its values.
type ListRead<'a> = (OfList, Vec<Value<'a>>);

/// The statement of a list on each engine.
struct OfList {
    sqlite: String,
    postgres: String,
}

/// A selection of a list of a partner.
struct Selected<'a> {
    list: &'a List,
    of: PartnerId,
    which: &'a Selection,
    /// The tags of a reference: while two keys are live, there are two.
    tags: [[u8; 16]; 2],
}

impl Selected<'_> {
    fn statement(&self, template: Statement<'_>) -> OfList {
        self.statement_on(&OLDER, template)
    }

    fn statement_on(&self, side: &Side, template: Statement<'_>) -> OfList {
        OfList {
            sqlite: self.list.statement_on(side, template.sqlite),
            postgres: self.list.statement_on(side, template.postgres),
        }
    }

    /// Reads the rows behind a position (older) or before it (newer), nearest first.
    fn rows(&self, position: ListPosition, older: bool, most: usize) -> ListRead<'static> {
        let side = if older { &OLDER } else { &NEWER };
        let of_days = |days: Days| {
            let (bound, position) = match older {
                true => (days.begin, days.before(position)),
                false => (days.over, days.behind(position)),
            };
            (sql!("lists/of_days"), bound.to_value(), position)
        };
        let (template, bound, position) = match self.which {
            Selection::All => of_days(Days::ALL),
            Selection::Period(period) | Selection::PeriodIn(period, _) => of_days(Days::from(*period)),
            Selection::Session(session) => {
                (sql!("lists/of_session"), Value::Id(id_bytes(*session)), position)
            }
            Selection::Reference(_) => {
                let [first, last] = self.tags.map(Value::Id);
                let values = [Value::Id(id_bytes(self.of)), first, last, Value::Id(*position.id.as_bytes())];
                let statement = self.statement_on(side, sql!(by engine "lists/of_tags"));
                return (statement, [&values[..], &[limit(most)]].concat());
            }
        };
        let at = Value::Integer(position.created_at.as_microsecond());
        let id = Value::Id(*position.id.as_bytes());
        let values = vec![Value::Id(id_bytes(self.of)), bound, at, id, limit(most)];
        (self.statement_on(side, template), values)
    }

    /// Reads what adds up to the number of the selection's records.
    fn counts(&self) -> Vec<ListRead<'static>> {
        let of = Value::Id(id_bytes(self.of));
        if let (true, Some(days)) = (self.list.is_narrower, Days::of(self.which)) {
            let [begin, over] = [days.begin, days.over].map(|at| Value::Integer(at.as_microsecond()));
            return vec![(self.statement(sql!("counts/of_rows")), vec![of, begin, over])];
        }
        let counted = |template: Statement<'_>, with: &[Value<'static>]| {
            (self.statement(template), [&[of][..], with].concat())
        };
        let of_days = |kind: Counted, first: i32, last: i32| {
            let [kind, first, last] = [i64::from(kind.code()), first.into(), last.into()].map(Value::Integer);
            counted(sql!("counts/of_days"), &[kind, first, last])
        };
        let of_kind = |kind: &Counted| match self.which {
            Selection::All => of_days(*kind, i32::MIN, i32::MAX),
            Selection::Period(days) | Selection::PeriodIn(days, _) => {
                of_days(*kind, day_number(days.first), day_number(days.last))
            }
            Selection::Session(session) => {
                let values = [Value::Id(id_bytes(*session)), Value::Integer(kind.code().into())];
                counted(sql!("counts/of_session"), &values)
            }
            Selection::Reference(_) => counted(sql!("tags/count"), &self.tags.map(Value::Id)),
        };
        match self.which {
            // However many kinds it has, a reference is counted by its tags.
            Selection::Reference(_) => self.list.counted.iter().take(1).map(of_kind).collect(),
            _ => self.list.counted.iter().map(of_kind).collect(),
        }
    }
}

fn limit(most: usize) -> Value<'static> {
    Value::Integer(i64::try_from(most).unwrap_or(i64::MAX))
}

impl Store {
    /// A page with the count of all, at one moment, whose rows are still closed. It is entered by the position beside which it
    /// lies, so that the thousandth costs what the first does (D33).
    pub(super) async fn page<L: Listed + Send>(
        &self,
        list: &List,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<L>> {
        let tags = match &which {
            Selection::Reference(reference) => list.tags(&self.seal, reference)?,
            _ => [[0; 16]; 2],
        };
        let selected = Selected { list, of, which: &which, tags };
        let older = !matches!(start, Some(Beyond::Before(_)));
        let position = start.map_or(NEWEST, Beyond::position);
        // One more than asked for tells whether the list goes on. On the other side of the position lies its record, if any.
        let beyond = selected.rows(position.beside(!older), !older, 1);
        let reads: Vec<ListRead<'_>> =
            [selected.rows(position, older, most + 1), beyond].into_iter().chain(selected.counts()).collect();
        let reads: Vec<_> = reads
            .iter()
            .map(|(text, values)| {
                (Statement { sqlite: &text.sqlite, postgres: &text.postgres }, values.clone())
            })
            .collect();
        let (mut records, mut is_beyond, mut count) = (Vec::new(), false, 0);
        let mut each = |place, row: Fields<'_>| {
            match place {
                0 => records.push(L::columns(row)?),
                1 => is_beyond = true,
                _ => count += row.get::<u64>(0)?,
            }
            Ok(())
        };
        self.engine.read_together(&reads, true, &mut each).await?;
        let goes_on = records.len() > most;
        records.truncate(most);
        if !older {
            records.reverse();
        }
        let (has_newer, has_older) = if older { (is_beyond, goes_on) } else { (goes_on, is_beyond) };
        Ok(Page { records, has_newer, has_older, count })
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
