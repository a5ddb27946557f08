//! Verifies the other records: keys, partners, operators, catalogues, complaints, audit entries, sessions,
//! journeys, stored responses, jobs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use domain::id::{PartnerId, kind};
use domain::quote::CatalogueHash;
use ports::storage::jobs::JobKind;
use ports::storage::responses::IdempotencyKeyHash;

use super::{Fault, Look, named, numbered, texted};
use crate::audit::{self, Follower};
use crate::fields::{FromRow, RowFields, Value};
use crate::records::partner::SecretRow;
use crate::records::personal_data::open_hold;
use crate::records::{
    approval, complaint, journey, kept_response, partner, request_log, session, sha256, team, work_item,
};

/// Tables without encrypted columns, whose rows are only counted. [`LATER`] lists further tables that only
/// later schemas have.
const PLAIN: [&str; 8] = [
    "migrations",
    "revision",
    "facts",
    "keys",
    "tokens",
    "status_pages",
    "insurer_notices",
    "webhook_subscriptions",
];

/// Further tables without encrypted columns, each with the first version of the schema that has the table.
const LATER: [(&str, i32); 5] = [
    ("token_counts", 5),
    ("erasures", PERSONAL_DATA_SINCE),
    ("erased_records", PERSONAL_DATA_SINCE),
    ("imports", IMPORTS_SINCE),
    ("sale_counts", 13),
];

/// First version of the schema that stages imports, and has views without staged records.
pub(super) const IMPORTS_SINCE: i32 = 12;

/// Counts the rows of tables without encrypted columns. Also checks that the columns of partners and their
/// secrets were not changed without the keyring.
pub(super) fn plain_tables(look: &mut Look<'_>) {
    let later = LATER.iter().filter(|(_, since)| *since <= look.schema).map(|(table, _)| *table);
    for table in PLAIN.into_iter().chain(later).collect::<Vec<_>>() {
        let mut seen: i64 = 0;
        let count = format!("select count(*) from {table}");
        let done = look.from.find(&count, &[], &mut |row| row.get(0).map(|rows| seen = rows));
        look.end(table, seen.unsigned_abs(), done);
    }
    look.rows(
        "partners",
        include_str!("../../sql/partners/list.sql"),
        named::<kind::Partner>("partner_id"),
        |row, found| {
            let is_proven = partner::columns(row, found.seal)?.is_some();
            found.is_proven(is_proven);
            Ok(())
        },
    );
    let secrets = include_str!("../../sql/secrets/list.sql");
    look.rows("secrets", secrets, named::<kind::Partner>("partner_id"), |row, found| {
        let is_proven = SecretRow::columns(row)?.open_good(found.seal).is_some();
        found.is_proven(is_proven);
        Ok(())
    });
}

pub(super) fn complaints(look: &mut Look<'_>) {
    let name = named::<kind::Complaint>("complaint_id");
    look.rows("complaints", include_str!("../../sql/verify/complaints.sql"), name, |row, found| {
        found.read(complaint::Row::columns(row)?.open(found.seal));
        Ok(())
    });
}

/// First version of the schema that has operators.
const TEAM_SINCE: i32 = 7;

pub(super) fn team(look: &mut Look<'_>) {
    if look.schema < TEAM_SINCE {
        return;
    }
    let operators = include_str!("../../sql/verify/operators.sql");
    look.rows("operators", operators, named::<kind::Operator>("operator_id"), |row, found| {
        found.read(team::Row::columns(row)?.open(found.seal));
        Ok(())
    });
    let name = named::<kind::Operator>("operator_id");
    look.rows(
        "operator_secrets",
        include_str!("../../sql/verify/operator_secrets.sql"),
        name,
        |row, found| {
            found.read(team::SecretRow::columns(row)?.open(found.seal));
            Ok(())
        },
    );
}

/// First version of the schema that has erased records and legal holds.
pub(super) const PERSONAL_DATA_SINCE: i32 = 9;

pub(super) fn holds(look: &mut Look<'_>) {
    if look.schema < PERSONAL_DATA_SINCE {
        return;
    }
    let name = texted("record");
    look.rows("holds", include_str!("../../sql/personal_data/holds.sql"), name, |row, found| {
        found.read(open_hold(row, found.seal));
        Ok(())
    });
}

/// First version of the schema that has approvals by a second operator.
const APPROVALS_SINCE: i32 = 8;

pub(super) fn approvals(look: &mut Look<'_>) {
    if look.schema < APPROVALS_SINCE {
        return;
    }
    let approvals = include_str!("../../sql/verify/approvals.sql");
    look.rows("approvals", approvals, named::<kind::Approval>("approval_id"), |row, found| {
        found.read(approval::Row::columns(row)?.open(found.seal));
        Ok(())
    });
}

/// First version of the schema that has work items.
const WORK_ITEMS_SINCE: i32 = 18;

pub(super) fn work_items(look: &mut Look<'_>) {
    if look.schema < WORK_ITEMS_SINCE {
        return;
    }
    let name = texted("task");
    look.rows("work_items", include_str!("../../sql/verify/work_items.sql"), name, |row, found| {
        found.read(work_item::Row::columns(row)?.open(found.seal));
        Ok(())
    });
}

/// First version of the schema that has an audit trail.
const AUDIT_SINCE: i32 = 6;

/// Checks that the entries of the audit trail form unbroken chains. If the end of a chain was removed, only
/// signed heads (last entries) that are stored elsewhere can show this.
pub(super) fn audit(look: &mut Look<'_>) {
    if look.schema < AUDIT_SINCE {
        return;
    }
    let chains = RefCell::new(BTreeMap::<i16, Follower>::new());
    let name = |row: RowFields<'_>| Ok(format!("{} of slot {}", row.get::<i64>(1)?, row.get::<i16>(0)?));
    look.rows("audit", include_str!("../../sql/verify/audit.sql"), name, |row, found| {
        let row = audit::Row::columns(row)?;
        let fault = chains.borrow_mut().entry(row.slot).or_default().take(&row, &found.seal.audit_keys());
        fault.into_iter().for_each(|fault| found.fault("chain", "unchanged audit entries", fault));
        Ok(())
    });
}

pub(super) fn requests(look: &mut Look<'_>) {
    look.rows(
        "request_log",
        include_str!("../../sql/verify/request_log.sql"),
        numbered("batch_id"),
        |row, found| {
            found.read(request_log::open(found.seal, row.get(1)?, row.get(0)?, row.get(2)?));
            Ok(())
        },
    );
}

pub(super) fn catalogues(look: &mut Look<'_>) {
    let name = |row: RowFields<'_>| Ok(CatalogueHash(row.get(0)?).to_string());
    look.rows("catalogues", include_str!("../../sql/verify/catalogues.sql"), name, |row, found| {
        let files: &[u8] = row.get(1)?;
        let hash = CatalogueHash(sha256(files));
        found.same("hash of the catalogue's files", CatalogueHash(row.get(0)?), hash);
        Ok(())
    });
}

pub(super) fn responses(look: &mut Look<'_>) {
    let name = |row: RowFields<'_>| {
        let key: [u8; 32] = row.get(1)?;
        let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("{key} of {}", row.get::<PartnerId>(0)?))
    };
    look.rows("kept_responses", include_str!("../../sql/verify/kept_responses.sql"), name, |row, found| {
        let key = IdempotencyKeyHash(row.get(1)?);
        found.read(kept_response::open(found.seal, row.get(0)?, key, row.get(2)?, row.get(3)?));
        Ok(())
    });
}

pub(super) fn sessions(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/sessions.sql");
    look.rows("sessions", statement, named::<kind::Session>("session_id"), |row, found| {
        found.read(session::Row::columns(row)?.open(found.seal));
        Ok(())
    });
}

pub(super) fn journeys(look: &mut Look<'_>) {
    let name = numbered("journey_id");
    look.rows("journeys", include_str!("../../sql/verify/journeys.sql"), name, |row, found| {
        found.read(journey::Row::columns(row)?.open(found.seal));
        Ok(())
    });
}

pub(super) fn jobs(look: &mut Look<'_>) {
    look.rows("jobs", include_str!("../../sql/verify/jobs.sql"), numbered("subject_id"), |row, found| {
        let kind = row.get::<JobKind>(1)?;
        found.there(&format!("record of the {} job", kind.word()), row.get(2)?);
        Ok(())
    });
}

/// Checks that the store has every catalogue version that a record names.
pub(super) fn named_catalogues(look: &mut Look<'_>) {
    let find = include_str!("../../sql/catalogues/read.sql");
    for (hash, record) in std::mem::take(&mut look.named) {
        let mut is_there = false;
        let read = look.from.find(find, &[Value::Bytes(&hash.0)], &mut |_| {
            is_there = true;
            Ok(())
        });
        let found = read.map_or_else(|fault| fault.into_why(), |()| "none".to_owned());
        if !is_there {
            look.verified.add(Fault::new(record, "catalogue version", hash, found));
        }
    }
}
