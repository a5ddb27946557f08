//! Damages made from the schema: each column of each table changed, a row of each table deleted and doubled.

/// Damages that verification need not find, each line with the reason. `table.*` is every damage of a table.
pub const UNVERIFIED: &[(&str, &str)] = &[
    (
        "embedded_quotes.delete kept_responses.delete sessions.delete journeys.delete request_log.delete events.delete",
        "Retention removes these records, in any order.",
    ),
    (
        "complaints.delete approvals.delete work_items.delete holds.delete withdrawn_consents.delete",
        "The audit trail has them.",
    ),
    (
        "operators.delete operator_secrets.delete secrets.delete",
        "Access is lost, never gained; the audit trail has it.",
    ),
    ("statement_answers.delete", "An insurer need not answer a row."),
    ("audit.delete", "Only a signed head that is stored elsewhere shows that the last entry was removed."),
    (
        "health_outcomes.delete jobs.delete",
        "The insurer is asked again, or the job begins again at the next start.",
    ),
    (
        "jobs.due_at jobs.owner jobs.attempt jobs.faults jobs.step",
        "Progress of a job, which can be repeated.",
    ),
    (
        "deliveries.due_at deliveries.is_again deliveries.tries deliveries.owner deliveries.lease deliveries.event_id \
         deliveries.delete deliveries.double",
        "Partners must expect an event twice, late or never, and read the events' list.",
    ),
    (
        "webhook_endpoints.failures webhook_endpoints.failing_since webhook_endpoints.rests_until",
        "Health of an endpoint, renewed by the next attempt.",
    ),
    (
        "insurer_notices.issued insurer_notices.endorsements insurer_notices.claims insurer_notices.cancelled \
         insurer_notices.withdrawn insurer_notices.delete",
        "An insurer that is told twice answers as before.",
    ),
    ("day_counts.slot", "A count is the sum of its slots."),
    ("calendars.delete", "The calendar begins again on its partner's next day."),
    ("token_counts.issued token_counts.version token_counts.delete", "Tokens of the last hour, for a limit."),
    ("sale_counts.*", "Numbers that change with each sale, so that two sales do not overlap."),
    (
        "status_pages.ended_at status_pages.tries status_pages.tries_from status_pages.delete",
        "The audit trail has them.",
    ),
    ("event_counts.double", "The count of a subject whose events were removed has nothing to compare."),
    (
        "erased_records.kind erased_records.erased_at erased_records.record_id erased_records.delete erased_records.double \
         erasures.*",
        "The record is gone. The books, and the journal of erasures, show that it was there.",
    ),
    ("claims.same", "No longer used."),
    ("tokens.*", "No longer used."),
    (
        "policies.import_id proposals.import_id imports.*",
        "Number of an import. Once it has ended, nothing reads it.",
    ),
    ("policies.document_read_at", "When the certificate was downloaded first. Nothing depends on it."),
    ("payments.noted_at", "The record that was paid has the day."),
    ("deposits.opened_at statement_months.begun_at catalogues.first_kept_at", "Nothing reads it."),
    (
        "journeys.seen_at journeys.version",
        "Changes with each page; a customer of an outdated page reads it again.",
    ),
    ("operator_secrets.seen_at", "When a session was used last, in steps of a minute."),
    ("request_log.requests", "Number of requests in the batch, for lists."),
    (
        "keys.created_at keys.active_from keys.retired_at",
        "Times of a key. Its content opens only with its number.",
    ),
    ("migrations.*", "The schema that the program finds is compared with its own."),
    ("facts.*", "Notes of the installation, written again by each start."),
    ("revision.*", "Number that each change of partners and keys raises, so that processes read them again."),
];

/// Table, column, type, and whether the column is part of the primary key.
pub const OF_SQLITE: &str = "select tables.name, columns.name, columns.type, columns.pk > 0 \
     from sqlite_master as tables join pragma_table_info(tables.name) as columns \
     where tables.type = 'table' and tables.name not like 'sqlite%' order by 1, columns.pk";

/// Like [`OF_SQLITE`]. Partitions are left out, because their rows are those of their table.
pub const OF_POSTGRES: &str = "select class.relname, attribute.attname, format_type(attribute.atttypid, null), \
            exists (select 1 from pg_index where indrelid = class.oid and indisprimary and attribute.attnum = any(indkey)) \
     from pg_class class join pg_attribute attribute on attribute.attrelid = class.oid \
     where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p') and not class.relispartition \
       and attribute.attnum > 0 and not attribute.attisdropped order by 1, attribute.attnum";

/// Columns that are numbers on SQLite and booleans on PostgreSQL.
const FLAGS: [&str; 10] = [
    "is_whole",
    "accepted",
    "enabled",
    "legacy_reads",
    "attribution",
    "is_test",
    "guaranteed",
    "settled",
    "ended",
    "is_again",
];

/// A damage of one row, as SQL.
pub struct Planted {
    /// Table and column, or table and `delete` or `double`.
    pub name: String,
    pub table: String,
    pub sql: String,
}

/// Column of a table, and SQL that gives another value of it.
pub struct Column {
    pub name: String,
    pub is_key: bool,
    pub other: String,
}

const ID: &str = "00112233-4455-6677-8899-aabbccddeeff";
const OTHER_ID: &str = "10112233-4455-6677-8899-aabbccddeeff";

impl Column {
    pub fn of_sqlite(name: String, kind: &str, is_key: bool) -> Self {
        let (id, other_id) = (ID.replace('-', ""), OTHER_ID.replace('-', ""));
        let other = match kind.to_lowercase().as_str() {
            "integer" if FLAGS.contains(&name.as_str()) => format!("1 - {name}"),
            "integer" => format!("coalesce({name}, 0) + 1"),
            "text" => format!("coalesce({name}, '') || 'x'"),
            _ => format!(
                "case when {name} = x'{id}' then x'{other_id}' when coalesce(length({name}), 16) = 16 then x'{id}' \
                 else cast(substr({name}, 1, length({name}) - 1) \
                     || case substr({name}, -1) when x'00' then x'01' else x'00' end as blob) end"
            ),
        };
        Column { name, is_key, other }
    }

    pub fn of_postgres(name: String, kind: &str, is_key: bool) -> Self {
        let other = match kind {
            "boolean" => format!("not {name}"),
            "text" => format!("coalesce({name}, '') || 'x'"),
            "uuid" => format!("case when {name} = '{ID}' then '{OTHER_ID}'::uuid else '{ID}' end"),
            "bytea" => format!(
                "case when length({name}) > 0 then set_byte({name}, length({name}) - 1, \
                     255 - get_byte({name}, length({name}) - 1)) else '\\x00112233445566778899aabbccddeeff' end"
            ),
            _ => format!("coalesce({name}, 0) + 1"),
        };
        Column { name, is_key, other }
    }
}

/// The damages of a table. `row` is a condition that is true for one row.
pub fn planted(table: &str, columns: &[Column], row: &str) -> Vec<Planted> {
    let damage =
        |name: &str, sql: String| Planted { name: format!("{table}.{name}"), table: table.to_owned(), sql };
    let change = |Column { name, other, .. }: &Column| {
        damage(name, format!("update {table} set {name} = {other} where {row}"))
    };
    let last_key = columns.iter().rposition(|column| column.is_key).unwrap_or(0);
    let values: Vec<&str> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| if at == last_key { column.other.as_str() } else { column.name.as_str() })
        .collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let (names, values) = (names.join(", "), values.join(", "));
    let double = format!("insert into {table} ({names}) select {values} from {table} where {row}");
    let delete = format!("delete from {table} where {row}");
    columns.iter().map(change).chain([damage("delete", delete), damage("double", double)]).collect()
}
