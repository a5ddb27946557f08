//! Sealing anew: every column of every table that is sealed with a data key, with the columns that it is bound to.
//!
//! What a column is bound to depends on the values of columns alone ([`super::bound`]), so rows can be opened and
//! sealed under a newer key without knowing what they hold. A column that is sealed and not listed here would stay under
//! the old key: the tests of `keys rotate data` find it.

use ports::storage::Result;
use ports::storage::keys::{Renewed, RowProgress};

use super::bound::Bound;
use crate::act::Statement;
use crate::audit::UPKEEP;
use crate::fields::{Fields, FromValue, Value, values};
use crate::seal::Seal;
use crate::sealing_key::HEAD;
use crate::store::Store;

/// Rows of a page, which are sealed anew in one transaction.
pub(crate) const PAGE: usize = 500;

/// The type of a column of a primary key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyType {
    /// 16 bytes.
    Id,
    Number,
    /// Bytes of another length.
    Bytes,
}

pub(crate) struct SealedColumn {
    pub(crate) table: &'static str,
    pub(crate) column: &'static str,
    /// What it is called in what it is bound to.
    label: &'static str,
    /// The primary key of its table.
    pub(crate) key: &'static [(&'static str, KeyType)],
    /// The columns that it is bound to, the partner first.
    pub(crate) bound: &'static [&'static str],
}

/// A value of a column, as things are bound to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    Null,
    Number(i64),
    Bytes(Vec<u8>),
}

impl FromValue<'_> for Cell {
    fn from_value(value: Value<'_>) -> Option<Self> {
        Some(match value {
            Value::Null => Cell::Null,
            Value::Integer(number) => Cell::Number(number),
            Value::Boolean(flag) => Cell::Number(flag.into()),
            Value::Text(text) => Cell::Bytes(text.as_bytes().to_vec()),
            Value::Bytes(bytes) => Cell::Bytes(bytes.to_vec()),
            Value::Id(id) => Cell::Bytes(id.to_vec()),
        })
    }
}

const OPERATOR: (&str, KeyType) = ("operator_id", KeyType::Id);
const PARTNER: (&str, KeyType) = ("partner_id", KeyType::Id);

/// Every sealed column.
const SEALED_COLUMNS: &[SealedColumn] = &[
    SealedColumn {
        table: "partners",
        column: "proof",
        label: "partners",
        key: &[PARTNER],
        bound: &[
            "partner_id",
            "partner_id",
            "client_id",
            "name",
            "enabled",
            "scopes",
            "legacy_reads",
            "attribution",
            "origins",
            "return_urls",
            "tokens_per_hour",
            "tokens_ended_at",
            "created_at",
            "is_test",
            "clock_ahead",
        ],
    },
    SealedColumn {
        table: "secrets",
        column: "hash",
        label: "secrets",
        key: &[PARTNER, ("number", KeyType::Number)],
        bound: &["partner_id", "number", "added_at", "revoked_at", "tokens_ended"],
    },
    SealedColumn {
        table: "embedded_quotes",
        column: "body",
        label: "embedded_quotes",
        key: &[PARTNER, ("quote_id", KeyType::Id)],
        bound: &["partner_id", "quote_id"],
    },
    SealedColumn {
        table: "health_quotes",
        column: "body",
        label: "health_quotes",
        key: &[PARTNER, ("quote_id", KeyType::Id)],
        bound: &["partner_id", "quote_id", "created_at"],
    },
    SealedColumn {
        table: "health_quotes",
        column: "outcome",
        label: "health_quotes.outcome",
        key: &[PARTNER, ("quote_id", KeyType::Id)],
        bound: &["partner_id", "quote_id", "created_at"],
    },
    SealedColumn {
        table: "tags",
        column: "named",
        label: "tags",
        key: &[PARTNER, ("tag", KeyType::Id), ("subject_id", KeyType::Id)],
        bound: &["partner_id", "subject_id"],
    },
    SealedColumn {
        table: "health_outcomes",
        column: "body",
        label: "health_outcomes",
        key: &[PARTNER, ("quote_id", KeyType::Id), ("ask", KeyType::Number)],
        bound: &["partner_id", "quote_id", "ask"],
    },
    SealedColumn {
        table: "proposals",
        column: "body",
        label: "proposals",
        key: &[PARTNER, ("proposal_id", KeyType::Id)],
        bound: &["partner_id", "proposal_id", "line", "created_at", "session_id", "insurer_reference"],
    },
    SealedColumn {
        table: "proposals",
        column: "reason",
        label: "proposals.reason",
        key: &[PARTNER, ("proposal_id", KeyType::Id)],
        bound: &["partner_id", "proposal_id", "line", "status", "changed_at"],
    },
    SealedColumn {
        table: "moves",
        column: "reason",
        label: "moves",
        key: &[PARTNER, ("proposal_id", KeyType::Id), ("sequence", KeyType::Number)],
        bound: &["partner_id", "proposal_id", "line", "moved_at", "moved_by", "from_status", "to_status"],
    },
    SealedColumn {
        table: "policies",
        column: "body",
        label: "policies",
        key: &[PARTNER, ("policy_id", KeyType::Id)],
        bound: &[
            "partner_id",
            "policy_id",
            "line",
            "issued_at",
            "session_id",
            "proposal_id",
            "number",
            "insurer_number",
            "check_hash",
            "state",
            "changed_at",
            "last_day",
            "version",
        ],
    },
    SealedColumn {
        table: "policy_moves",
        column: "reason",
        label: "policy_moves",
        key: &[PARTNER, ("policy_id", KeyType::Id), ("sequence", KeyType::Number)],
        bound: &["partner_id", "policy_id", "moved_at", "moved_by", "from_state", "to_state"],
    },
    SealedColumn {
        table: "policies",
        column: "certificate",
        label: "policies.certificate",
        key: &[PARTNER, ("policy_id", KeyType::Id)],
        bound: &["partner_id", "policy_id", "number", "certificate_version"],
    },
    SealedColumn {
        table: "replaced_certificates",
        column: "certificate",
        label: "policies.certificate",
        key: &[PARTNER, ("policy_id", KeyType::Id), ("certificate_version", KeyType::Number)],
        bound: &["partner_id", "policy_id", "number", "certificate_version"],
    },
    SealedColumn {
        table: "claims",
        column: "body",
        label: "claims",
        key: &[PARTNER, ("claim_id", KeyType::Id)],
        bound: &[
            "partner_id",
            "claim_id",
            "created_at",
            "policy_id",
            "line",
            "session_id",
            "state",
            "changed_at",
            "version",
            "settle_by",
        ],
    },
    SealedColumn {
        table: "claim_moves",
        column: "reason",
        label: "claim_moves",
        key: &[PARTNER, ("claim_id", KeyType::Id), ("sequence", KeyType::Number)],
        bound: &["partner_id", "claim_id", "moved_at", "moved_by", "from_state", "to_state"],
    },
    SealedColumn {
        table: "claim_papers",
        column: "body",
        label: "claim_papers",
        key: &[PARTNER, ("paper_id", KeyType::Id)],
        bound: &["partner_id", "paper_id", "claim_id", "added_at", "bytes", "is_whole"],
    },
    SealedColumn {
        table: "claim_parts",
        column: "body",
        label: "claim_parts",
        key: &[PARTNER, ("paper_id", KeyType::Id), ("number", KeyType::Number)],
        bound: &["partner_id", "paper_id", "number"],
    },
    SealedColumn {
        table: "complaints",
        column: "body",
        label: "complaints",
        key: &[PARTNER, ("complaint_id", KeyType::Id)],
        bound: &["partner_id", "complaint_id", "created_at", "policy_id", "answer_by", "answered_on"],
    },
    SealedColumn {
        table: "approvals",
        column: "body",
        label: "approvals",
        key: &[("approval_id", KeyType::Id)],
        bound: &["approval_id", "subject", "expires_at", "state", "version"],
    },
    SealedColumn {
        table: "holds",
        column: "reason",
        label: "holds",
        key: &[("record_id", KeyType::Id)],
        bound: &["record_id", "record", "held_at", "held_by"],
    },
    SealedColumn {
        table: "operators",
        column: "body",
        label: "operators",
        key: &[OPERATOR],
        bound: &["operator_id", "version"],
    },
    SealedColumn {
        table: "operator_secrets",
        column: "body",
        label: "operator_secrets",
        key: &[("hash", KeyType::Bytes)],
        bound: &["operator_id", "hash", "kind", "expires_at", "ended_at", "version"],
    },
    SealedColumn {
        table: "request_log",
        column: "body",
        label: "request_log",
        key: &[PARTNER, ("batch_id", KeyType::Id)],
        bound: &["partner_id", "batch_id"],
    },
    SealedColumn {
        table: "events",
        column: "body",
        label: "events",
        key: &[PARTNER, ("event_id", KeyType::Id)],
        bound: &["partner_id", "event_id", "happened_at", "type", "subject_id"],
    },
    SealedColumn {
        table: "webhook_endpoints",
        column: "body",
        label: "webhook_endpoints",
        key: &[PARTNER, ("endpoint_id", KeyType::Id)],
        bound: &["partner_id", "endpoint_id", "created_at", "state", "version"],
    },
    SealedColumn {
        table: "deliveries",
        column: "body",
        label: "deliveries",
        key: &[PARTNER, ("endpoint_id", KeyType::Id), ("event_id", KeyType::Id)],
        bound: &["partner_id", "endpoint_id", "event_id"],
    },
    SealedColumn {
        table: "statements",
        column: "body",
        label: "statements",
        key: &[PARTNER, ("statement_id", KeyType::Id)],
        bound: &["partner_id", "statement_id", "month", "kind", "number", "made_at", "paid_at"],
    },
    SealedColumn {
        table: "statement_parts",
        column: "body",
        label: "statement_parts",
        key: &[
            PARTNER,
            ("statement_id", KeyType::Id),
            ("file", KeyType::Number),
            ("number", KeyType::Number),
        ],
        bound: &["partner_id", "statement_id", "file", "number"],
    },
    SealedColumn {
        table: "statement_answers",
        column: "body",
        label: "statement_answers",
        key: &[
            PARTNER,
            ("statement_id", KeyType::Id),
            ("policy_id", KeyType::Id),
            ("kind", KeyType::Number),
            ("nth", KeyType::Number),
        ],
        bound: &["partner_id", "statement_id", "policy_id", "kind", "nth", "answered_at", "accepted"],
    },
    SealedColumn {
        table: "premiums",
        column: "proof",
        label: "premiums",
        key: &[PARTNER, ("proposal_id", KeyType::Id)],
        bound: &[
            "partner_id",
            "proposal_id",
            "line",
            "insurer_id",
            "route",
            "deposit",
            "due",
            "unsettled",
            "received",
            "applied",
            "refundable",
            "refunded",
            "held_here",
            "held_since",
            "ended",
            "decided_by",
            "decided_at",
            "insurer_number",
            "created_at",
            "changed_at",
        ],
    },
    SealedColumn {
        table: "sessions",
        column: "body",
        label: "sessions",
        key: &[PARTNER, ("session_id", KeyType::Id)],
        bound: &["partner_id", "session_id", "created_at"],
    },
    SealedColumn {
        table: "journeys",
        column: "body",
        label: "journeys",
        key: &[PARTNER, ("journey_id", KeyType::Id)],
        bound: &["partner_id", "journey_id", "token_id", "cookie_hash"],
    },
    SealedColumn {
        table: "kept_responses",
        column: "body",
        label: "kept_responses",
        key: &[PARTNER, ("idempotency_key", KeyType::Bytes)],
        bound: &["partner_id", "idempotency_key", "kept_at"],
    },
];

impl SealedColumn {
    /// Fills the gaps of a statement: table, column, and the columns of the key and those that are bound.
    fn statement(&self, text: &str) -> String {
        let names: Vec<&str> = self.key.iter().map(|(name, _)| *name).collect();
        text.replace("{table}", self.table)
            .replace("{column}", self.column)
            .replace("{key}", &names.join(", "))
            .replace("{bound}", &self.bound.join(", "))
            .replace("{after}", &self.parameters(1))
            .replace("{page}", &PAGE.to_string())
    }

    /// Parameters for the columns of the key, from a number on.
    fn parameters(&self, first: usize) -> String {
        let numbers = (first..).take(self.key.len()).map(|number| format!("${number}"));
        numbers.collect::<Vec<_>>().join(", ")
    }

    /// How many rows have the column.
    fn count(&self) -> String {
        self.statement(include_str!("../../sql/keys/count_sealed.sql"))
    }

    /// The first page of rows: the columns of the key, those that are bound, and the sealed one.
    fn first_page(&self) -> String {
        self.page("")
    }

    /// The page of rows after the key that the statement's parameters are.
    fn next_page(&self) -> String {
        self.page(" and ({key}) > ({after})")
    }

    fn page(&self, behind: &str) -> String {
        self.statement(&include_str!("../../sql/keys/sealed.sql").replace("{behind}", behind))
    }

    /// Replaces the column of one row: `$1` is what was sealed anew, `$2` the head of what is there, then the key.
    fn replace_one(&self) -> String {
        let text = include_str!("../../sql/keys/replace_sealed.sql");
        self.statement(&text.replace("{after}", &self.parameters(3)))
    }

    /// Columns of a row of a page.
    const fn columns(&self) -> usize {
        self.key.len() + self.bound.len() + 1
    }

    /// Names a row by its key, for people.
    fn name(&self, key: &[Cell]) -> String {
        let part = |cell: &Cell| match cell {
            Cell::Null => "null".to_owned(),
            Cell::Number(number) => number.to_string(),
            Cell::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        };
        let parts: Vec<String> = key.iter().map(part).collect();
        format!("{} {}", self.table, parts.join(" "))
    }
}

/// A row whose column is to be replaced, unless it was changed meanwhile.
pub(crate) struct Replacement {
    pub(crate) key: Vec<Cell>,
    /// The head of what is there, which no other envelope has.
    pub(crate) head: Vec<u8>,
    pub(crate) sealed: Vec<u8>,
}

/// What a page came to.
struct Page {
    replacements: Vec<Replacement>,
    /// The key of the last row; `None`: there is no further page.
    last: Option<Vec<Cell>>,
}

/// Opens and seals the rows of a page, each as its cells in the order of the statement.
fn reseal_page(seal: &Seal, column: &SealedColumn, rows: Vec<Vec<Cell>>, done: &mut Renewed) -> Page {
    let is_full = rows.len() == PAGE;
    let (mut replacements, mut last) = (Vec::new(), None);
    for mut row in rows {
        let Some(Cell::Bytes(old)) = row.pop() else { continue };
        let bound = row.split_off(column.key.len());
        done.rows += 1;
        match seal.reseal(column.label, &bound_to(&bound), &old) {
            Ok(Some(sealed)) => {
                let head = old.get(..HEAD).unwrap_or_default().to_vec();
                replacements.push(Replacement { key: row.clone(), head, sealed });
            }
            Ok(None) => {}
            Err(fault) => done.note_unreadable(format!(
                "{}: {}: {}",
                column.name(&row),
                column.column,
                fault.into_why()
            )),
        }
        last = Some(row);
    }
    Page { replacements, last: last.filter(|_| is_full) }
}

/// What a column is bound to, by the values of the bound columns.
fn bound_to(cells: &[Cell]) -> Vec<u8> {
    let Some((Cell::Bytes(partner), rest)) = cells.split_first() else { return Vec::new() };
    let bind = |bound: Bound, cell: &Cell| match cell {
        Cell::Null => bound.bytes(None),
        Cell::Number(number) => bound.number(*number),
        Cell::Bytes(bytes) => bound.bytes(Some(bytes)),
    };
    rest.iter().fold(Bound::of_partner(partner), bind).as_ref().to_vec()
}

impl SealedColumn {
    /// The values of a key, which PostgreSQL wants of their types.
    fn key_values<'a>(&self, key: &'a [Cell]) -> impl Iterator<Item = Value<'a>> {
        self.key.iter().zip(key).map(|((_, kind), cell)| match (cell, kind) {
            (Cell::Bytes(bytes), KeyType::Id) => {
                bytes.as_slice().try_into().map_or(Value::Bytes(bytes), Value::Id)
            }
            (Cell::Bytes(bytes), _) => Value::Bytes(bytes),
            (Cell::Number(number), _) => Value::Integer(*number),
            (Cell::Null, _) => Value::Null,
        })
    }
}

impl Store {
    /// A page of rows with a sealed column, after one by its key.
    async fn sealed_page(&self, column: &SealedColumn, after: Option<&[Cell]>) -> Result<Vec<Vec<Cell>>> {
        let page = if after.is_some() { column.next_page() } else { column.first_page() };
        let values: Vec<_> = column.key_values(after.unwrap_or_default()).collect();
        let cells = |row: Fields<'_>| (0..column.columns()).map(|at| row.get(at)).collect();
        self.all(Statement::of(&page), &values, cells).await
    }

    /// Replaces what is sealed, where it was not changed meanwhile: how often.
    async fn replace_sealed(&self, column: &'static SealedColumn, rows: Vec<Replacement>) -> Result<u64> {
        let replaced = self.act(UPKEEP, (column, rows), |(column, rows), to| {
            Box::pin(async move {
                let mut sets = Vec::new();
                for Replacement { key, head, sealed } in rows {
                    let given = values![sealed, head].to_vec().into_iter();
                    sets.push(given.chain(column.key_values(key)).collect());
                }
                to.finish_changing(Statement::of(&column.replace_one()), &sets).await
            })
        });
        Ok(replaced.await?)
    }
}

/// Seals every row anew that another key than the active one has sealed.
pub(crate) async fn reseal(store: &Store, progress: &mut RowProgress<'_>) -> Result<Renewed> {
    let mut all = 0;
    for column in SEALED_COLUMNS {
        all += store.number(Statement::of(&column.count()), &[]).await?;
    }
    let mut done = Renewed::default();
    for column in SEALED_COLUMNS {
        let mut after: Option<Vec<Cell>> = None;
        loop {
            let rows = store.sealed_page(column, after.as_deref()).await?;
            let page = reseal_page(&store.seal, column, rows, &mut done);
            if !page.replacements.is_empty() {
                done.changed += store.replace_sealed(column, page.replacements).await?;
            }
            progress(done.rows, all.max(done.rows));
            after = page.last;
            if after.is_none() {
                break;
            }
        }
    }
    Ok(done)
}
