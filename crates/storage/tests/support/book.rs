//! A large book: 100,000 rows in each table that has lists, with the statements and filter values of those
//! lists.
//!
//! The rows have no bodies that can be opened. Statements read them all the same.

/// Number of rows in each table.
pub const ROWS: usize = 100_000;

/// Most rows that a list may read and skip.
pub const LEFT_OUT: u64 = 2_000;

/// Statements that fill the tables. `{rows}` is a table of numbers `nth` from 1 on. `{id:N}` is an id of kind
/// N that grows with `nth`. `{third:N}` is one that three rows share. `{none}` is an empty body.
pub const FILL: &[&str] = &[
    // One event in a thousand has a rare type. One in five hundred is not delivered yet.
    "insert into events (partner_id, event_id, happened_at, type, subject_id, sequence, body)
     select {partner}, {id:1}, nth, case when nth % 1000 = 0 then 21 else 1 + nth % 7 end, {third:2}, nth % 3, {none} from {rows}",
    "insert into deliveries (partner_id, endpoint_id, event_id, state, due_at, is_again, tries, lease)
     select {partner}, {partner}, {id:1}, case when nth % 500 = 0 then 3 else 2 end, null, 0, 1, 0 from {rows}",
    // One policy in a thousand can be renewed. All end in the same month.
    "insert into policies (partner_id, policy_id, line, issued_at, number, insurer_number, body, state, changed_at, last_day,
         renewable_until, refund_due_on, endorsement_asked_at)
     select {partner}, {id:3}, 1 + nth % 2, nth, {number}, {number}, {none}, case when nth % 400 = 0 then 3 else 1 end, nth,
         20271101 + nth % 28, case when nth % 1000 = 0 then 20271231 end, case when nth % 2000 = 0 then 20261231 end,
         case when nth % 3000 = 0 then nth end from {rows}",
    "insert into proposals (partner_id, proposal_id, created_at, changed_at, quote_id, variant_id, line, status, body)
     select {partner}, {id:4}, nth, nth, {id:5}, {id:6}, 1 + nth % 2, 3, {none} from {rows}",
    "insert into claims (partner_id, claim_id, created_at, policy_id, line, state, changed_at, version, settle_by, same, body)
     select {partner}, {id:7}, nth, {third:3}, 1, case when nth % 1000 = 0 then 1 else 5 end, nth, 1, 20261231, {id:7}, {none} from {rows}",
    "insert into tags (partner_id, tag, subject_id, named)
     select {partner}, {third:8}, {id:3}, {none} from {rows}",
];

/// A value of a filter.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    Partner,
    /// Ids of a kind: lower than all others, higher than all others, or the id of a row.
    Least,
    Most,
    Id(u8, usize),
    Whole(i64),
    Yes,
    No,
    Nothing,
}

use Value::{Id, Least, Most, No, Nothing, Partner, Whole, Yes};

/// Every list with each of its filters: name, file, filter values.
pub const LISTS: &[(&str, &str, &[Value])] = &[
    ("events", "events/list", &[Partner, Least, Most, Nothing, Whole(51)]),
    ("events that are delivered", "events/list", &[Partner, Least, Most, No, Whole(51)]),
    ("events that are undelivered", "events/list_undelivered", &[Partner, Least, Most, Whole(51)]),
    ("events of a rare type", "events/list_of_type", &[Partner, Least, Most, Whole(21), Nothing, Whole(51)]),
    ("events of no type", "events/list_of_type", &[Partner, Least, Most, Whole(30), Nothing, Whole(51)]),
    (
        "events of a type that are delivered",
        "events/list_of_type",
        &[Partner, Least, Most, Whole(3), No, Whole(51)],
    ),
    (
        "events of a subject",
        "events/list_of_subject",
        &[Partner, Least, Most, Id(2, 500), Nothing, Nothing, Whole(51)],
    ),
    (
        "events of a subject and a type",
        "events/list_of_subject",
        &[Partner, Least, Most, Id(2, 500), Whole(2), Yes, Whole(51)],
    ),
    ("deliveries", "deliveries/list", &[Partner, Partner, Most, Nothing, Whole(51)]),
    ("deliveries that were taken", "deliveries/list", &[Partner, Partner, Most, Whole(2), Whole(51)]),
    ("deliveries that failed", "deliveries/list_of_state", &[Partner, Partner, Most, Whole(3), Whole(51)]),
    ("deliveries that wait", "deliveries/list_of_state", &[Partner, Partner, Most, Whole(1), Whole(51)]),
    (
        "renewals",
        "policies/renewals_due",
        &[Partner, Whole(20_271_101), Whole(20_271_131), Whole(0), Least, Whole(20_261_128), Whole(51)],
    ),
    ("refunds", "policies/refunds_owed", &[Whole(51)]),
    ("endorsements", "policies/endorsements_open", &[Whole(51)]),
    ("open claims", "claims/open", &[Whole(51)]),
    ("claims of a policy", "claims/of_policy", &[Partner, Id(3, 500)]),
    ("proposals", "proposals/list", &[Partner, Whole(1), Nothing, Whole(51)]),
];

/// Id as 32 hexadecimal digits.
pub fn id(kind: u8, nth: usize) -> String {
    format!("{nth:016x}{kind:016x}")
}

/// Id of the partner that has all rows.
pub fn partner() -> String {
    id(0, 1)
}

impl Value {
    /// Value as SQL. `id_of` writes ids.
    pub fn written(self, id_of: fn(&str) -> String, yes_no: [&str; 2]) -> String {
        match self {
            Partner => id_of(&partner()),
            Least => id_of(&id(0, 0)),
            Most => id_of(&"f".repeat(32)),
            Id(kind, nth) => id_of(&id(kind, nth)),
            Whole(number) => number.to_string(),
            Yes => yes_no[0].to_owned(),
            No => yes_no[1].to_owned(),
            Nothing => "null".to_owned(),
        }
    }
}

/// Text of a statement's file for an engine.
pub fn statement(name: &str, engine: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sql");
    let files = [folder.join(format!("{name}.{engine}.sql")), folder.join(format!("{name}.sql"))];
    let file = files.iter().find(|file| file.exists()).unwrap_or_else(|| panic!("there is no {name}"));
    std::fs::read_to_string(file).unwrap()
}

/// Statements that fill the tables. `id_of` writes an id from its kind and number. `rows` is the table of
/// numbers.
pub fn fill(
    id_of: fn(&str, &str) -> String,
    constant: fn(&str) -> String,
    none: &str,
    rows: &str,
) -> Vec<String> {
    let filled = |text: &&str| {
        let mut text =
            text.replace("{partner}", &constant(&partner())).replace("{none}", none).replace("{rows}", rows);
        for kind in 1..10 {
            text = text.replace(&format!("{{id:{kind}}}"), &id_of("nth", &kind.to_string()));
            text = text.replace(&format!("{{third:{kind}}}"), &id_of("nth / 3", &kind.to_string()));
        }
        text.replace("{number}", "cast(nth as text)")
    };
    FILL.iter().map(filled).collect()
}
