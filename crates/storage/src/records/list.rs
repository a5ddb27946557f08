//! Lists of records. SQL templates that all lists share are filled in for each list.

use std::borrow::Cow;

use domain::date::Date;
use domain::id::PartnerId;
use domain::identifier::{Identifier, IdentifierKind, Reference};
use domain::line::LineOfBusiness;
use domain::policy_state::PolicyState;
use ports::storage::lists::{Beyond, ListPosition, ListStart, Page, Selection};
use ports::storage::{Identified, Result, StorageError};

use super::counted::Counted;
use super::position::{Days, NEWEST};
use super::{id_bytes, tag};
use crate::fields::{Coded, FromRow, RowFields, ToValue, Value, day_number};
use crate::operation::{Statement, sql};
use crate::seal::Seal;
use crate::store::Store;

pub(crate) struct List {
    pub(crate) table: &'static str,
    /// Table, or the view that leaves out the records of an unfinished import.
    pub(crate) shown: &'static str,
    /// Time column that orders the list and selects its days.
    pub(crate) at: &'static str,
    pub(crate) id: &'static str,
    /// SQL condition that selects the rows of the list.
    pub(crate) filter: Cow<'static, str>,
    /// Kinds of stored counts (by day and session) whose sum is the number of records in the list.
    pub(crate) counted: &'static [Counted],
    /// Whether the rows must be counted one by one, because the stored counts also include records that the
    /// filter leaves out.
    pub(crate) is_narrower: bool,
    /// Kind of the tags (hashes) by which records with a reference are found. `None` if the list cannot be
    /// searched by reference.
    pub(crate) identified: Option<Identified>,
    /// Name of the list's records in messages, such as `policies`.
    pub(crate) name: &'static str,
}

impl List {
    pub(crate) const fn proposals(line: LineOfBusiness) -> Self {
        List {
            table: "proposals",
            shown: "visible_proposals",
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
            shown: "visible_policies",
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

    /// Policies of every line of business. If `state` is given, only policies in that state on the day
    /// `today`.
    pub(crate) fn any_policies(state: Option<PolicyState>, today: Date) -> Self {
        let code = |state: PolicyState| state.code();
        let (issued, today) = (code(PolicyState::Issued), day_number(today));
        let filter = match state {
            None => Cow::Borrowed("true"),
            // An issued policy expires and lapses by its dates alone, without a change of its row (D66, D91).
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
            // The first condition is that of the index `policies_moved`, which serves these lists.
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

    /// Claims of every line of business.
    pub(crate) const fn claims() -> Self {
        List {
            table: "claims",
            shown: "claims",
            at: "created_at",
            id: "claim_id",
            filter: Cow::Borrowed("true"),
            counted: &[Counted::Claims],
            is_narrower: false,
            identified: None,
            name: "claims",
        }
    }

    /// Health quotes. Outcomes of unfinished quotes are read separately.
    pub(crate) const fn health_quotes() -> Self {
        List {
            table: "health_quotes",
            shown: "health_quotes",
            at: "created_at",
            id: "quote_id",
            filter: Cow::Borrowed("true"),
            counted: &[Counted::HealthQuotes],
            is_narrower: false,
            identified: None,
            name: "health quotes",
        }
    }

    /// Tags (hashes) of a reference, one for each of the two live keys. If only one key is live, its tag
    /// twice.
    ///
    /// # Errors
    /// [`StorageError::Refused`] if the list cannot be searched by reference.
    pub(crate) fn tags(&self, seal: &Seal, reference: &Reference) -> Result<[[u8; 16]; 2]> {
        let none = || StorageError::Refused(format!("{} cannot be searched by reference", self.name));
        let by = Identifier::of(IdentifierKind::Reference, reference.reveal());
        match tag::tags(seal, self.identified.ok_or_else(none)?, &by).as_slice() {
            [] => Err(StorageError::Damaged("the store has no look-up key".into())),
            [first, rest @ ..] => Ok([*first, *rest.last().unwrap_or(first)]),
        }
    }

    /// SQL template with the table of this list filled in.
    pub(crate) fn statement(&self, template: &str) -> String {
        self.statement_on(&OLDER, &[], template)
    }

    /// SQL template, filled in to read columns of the records on one side of a position, the nearest first.
    fn statement_on(&self, side: &Side, columns: &[&str], template: &str) -> String {
        let mut pieces = template.split('{');
        let mut text = String::with_capacity(2 * template.len());
        text.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let (name, rest) = piece.split_once('}').expect("a name within braces");
            let filled = match name {
                "columns" => push_columns(&mut text, columns, ""),
                "qualified" => push_columns(&mut text, columns, "q."),
                "table" => self.table,
                "shown" => self.shown,
                "at" => self.at,
                "id" => self.id,
                "filter" => &self.filter,
                "within" => side.within,
                "beyond" => side.beyond,
                "order" => side.order,
                other => unreachable!("the SQL template of a list has the unknown name {other}"),
            };
            text.push_str(filled);
            text.push_str(rest);
        }
        text
    }
}

/// SQL condition that a row belongs to a line of business. A test compares the number with the line's code.
const fn of_line(line: LineOfBusiness) -> &'static str {
    match line {
        LineOfBusiness::CreditLife => "line = 1",
        LineOfBusiness::Health => "line = 2",
    }
}

/// Adds the names of columns to a statement. Returns what follows them.
fn push_columns(text: &mut String, columns: &[&str], qualifier: &str) -> &'static str {
    for (nth, column) in columns.iter().enumerate() {
        text.push_str(if nth == 0 { "" } else { ", " });
        text.push_str(qualifier);
        text.push_str(column);
    }
    ""
}

/// Direction in which a list is read from a position: older or newer records.
struct Side {
    /// SQL operator that compares a record's time with the bound of the selected period in this direction:
    /// its begin for older records, its end for newer ones.
    within: &'static str,
    /// SQL operator that compares a record with the position.
    beyond: &'static str,
    order: &'static str,
}

const OLDER: Side = Side { within: ">=", beyond: "<", order: "desc" };
const NEWER: Side = Side { within: "<", beyond: ">", order: "asc" };

/// Statement that reads a list or its counts, with its values.
type ListRead<'a> = (OfList, Vec<Value<'a>>);

/// Texts of a list's statement, one for each engine.
struct OfList {
    sqlite: String,
    postgres: String,
}

/// Records that a request selects from a partner's list.
struct Selected<'a> {
    list: &'a List,
    columns: &'static [&'static str],
    of: PartnerId,
    which: &'a Selection,
    /// Tags (hashes) of the requested reference, one for each of two live keys. Unused without a reference.
    tags: [[u8; 16]; 2],
}

impl Selected<'_> {
    fn statement(&self, template: Statement<'_>) -> OfList {
        self.statement_on(&OLDER, template)
    }

    fn statement_on(&self, side: &Side, template: Statement<'_>) -> OfList {
        OfList {
            sqlite: self.list.statement_on(side, self.columns, template.sqlite),
            postgres: self.list.statement_on(side, self.columns, template.postgres),
        }
    }

    /// Statement that reads rows older or newer than a position, the nearest first.
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

    /// Statements that read counts. The sum of the counts is the number of selected records.
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
            // A reference is counted by its tags, so one count is enough.
            Selection::Reference(_) => self.list.counted.iter().take(1).map(of_kind).collect(),
            _ => self.list.counted.iter().map(of_kind).collect(),
        }
    }
}

fn limit(most: usize) -> Value<'static> {
    Value::Integer(i64::try_from(most).unwrap_or(i64::MAX))
}

impl Store {
    /// Page of a list, with the number of all selected records, on one snapshot. The rows are still
    /// encrypted. A page is read from a position, so that the thousandth page costs as much as the first
    /// (D33).
    pub(super) async fn page<L: FromRow + Send>(
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
        let selected = Selected { list, columns: L::COLUMNS, of, which: &which, tags };
        let older = !matches!(start, Some(Beyond::Before(_)));
        let position = start.map_or(NEWEST, Beyond::position);
        // One extra row shows whether the list continues after the page. One row on the other side of the
        // position shows whether there are records before the page.
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
        let mut each = |place, row: RowFields<'_>| {
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
    fn lists_filter_a_line_of_business_by_its_code() {
        for line in LineOfBusiness::ALL {
            assert_eq!(of_line(*line), format!("line = {}", line.code()));
        }
    }
}
