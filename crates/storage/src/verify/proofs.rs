//! Verifies proofs of rows, and that rows refer to records that exist.

use domain::id::{PartnerId, Uuid, kind};
use ports::storage::{Fact, Result};

use super::records::PERSONAL_DATA_SINCE;
use super::{Look, VerifiedRow, named};
use crate::fields::{RowFields, values};
use crate::records::bound::Bound;
use crate::records::calendar;
use crate::records::proof::is_proven;

/// First version of the schema whose books, months, calendars and consents have proofs.
pub(super) const PROOFS_SINCE: i32 = 16;

const PROVEN: &str = "columns proven by the keyring";
const CHANGED: &str = "columns changed without the keyring";

impl Look<'_> {
    /// Fills in the placeholders of columns that older schemas do not have, such as `{proof}`.
    pub(super) fn with_columns(&self, statement: &str) -> String {
        let proof = if self.schema < PROOFS_SINCE { "null as proof" } else { "proof" };
        let sealed = if self.schema < SEALED_REFERENCES_SINCE { "null as sealed" } else { "sealed" };
        let [total, used] = match self.schema < SHARED_TRANSFERS_SINCE {
            true => ["null as total", "null as used"],
            false => ["total", "used"],
        };
        let statement = statement.replace("{proof}", proof).replace("{sealed}", sealed);
        statement.replace("{total}", total).replace("{used}", used)
    }
}

/// First version of the schema in which one transfer can pay several claims.
const SHARED_TRANSFERS_SINCE: i32 = 17;

/// First version of the schema that has encrypted bank references.
const SEALED_REFERENCES_SINCE: i32 = 11;

impl VerifiedRow<'_> {
    /// Notes a fault unless the columns of a row are proven.
    pub(super) fn is_proven(&mut self, is_proven: bool) {
        self.same("proof", PROVEN, if is_proven { PROVEN } else { CHANGED });
    }

    /// Notes a fault unless `proof` is that of the row's columns. A row of an earlier version has none, until the
    /// server has made it.
    pub(super) fn must_be_proven(
        &mut self,
        (table, bound): (&str, &Bound),
        reference: Option<&str>,
        proof: Option<&[u8]>,
    ) -> Result<()> {
        match proof {
            Some(proof) => {
                let opened = is_proven(self.seal, table, bound, reference, proof);
                if let Some(is_proven) = self.read(opened) {
                    self.is_proven(is_proven);
                }
            }
            None if self.schema < PROOFS_SINCE || self.remembers(Fact::RowsToProve)? => {}
            None => self.fault("proof", PROVEN, "none"),
        }
        Ok(())
    }

    pub(super) fn remembers(&mut self, fact: Fact) -> Result<bool> {
        let mut is_there = false;
        self.from.find(include_str!("../../sql/facts/read.sql"), values![fact.word()], &mut |_| {
            is_there = true;
            Ok(())
        })?;
        Ok(is_there)
    }
}

/// Verifies months of statements.
pub(super) fn months(look: &mut Look<'_>) {
    let name = |row: RowFields<'_>| row.named::<i64>("month").map(|month| month.to_string());
    let statement = look.with_columns(include_str!("../../sql/verify/statement_months.sql"));
    look.rows("statement_months", &statement, name, |row, found| {
        let (run, month): (Uuid, i64) = (row.named("run")?, row.named("month")?);
        let closed_at: Option<i64> = row.named("closed_at")?;
        let catalogue: Option<&[u8]> = row.named("catalogue")?;
        let bound = Bound::of(values![run, month, closed_at, catalogue]);
        found.must_be_proven(("statement_months", &bound), None, row.named("proof")?)
    });
}

pub(super) fn calendars(look: &mut Look<'_>) {
    let statement = look.with_columns(include_str!("../../sql/verify/calendars.sql"));
    look.rows("calendars", &statement, named::<kind::Partner>("partner_id"), |row, found| {
        let of: PartnerId = row.named("partner_id")?;
        let bound = calendar::Row::columns(row)?.bound(of);
        found.must_be_proven((calendar::TABLE, &bound), None, row.named("proof")?)
    });
}

pub(super) fn withdrawn_consents(look: &mut Look<'_>) {
    if look.schema < PERSONAL_DATA_SINCE {
        return;
    }
    let statement = look.with_columns(include_str!("../../sql/verify/withdrawn_consents.sql"));
    look.rows("withdrawn_consents", &statement, named::<kind::Proposal>("proposal_id"), |row, found| {
        let bound: (PartnerId, Uuid) = (row.named("partner_id")?, row.named("proposal_id")?);
        let (purpose, at): (i64, i64) = (row.named("purpose")?, row.named("withdrawn_at")?);
        let bound = Bound::of(values![bound.0, bound.1, purpose, at]);
        found.must_be_proven(("withdrawn_consents", &bound), None, row.named("proof")?)
    });
}

/// Table whose rows belong to a record of another table, by the columns that both have.
struct Belongs {
    table: &'static str,
    to: &'static str,
    by: &'static [&'static str],
    name: fn(RowFields<'_>) -> Result<String>,
    /// First version of the schema that has the table.
    since: i32,
}

const fn of_partner(table: &'static str, since: i32) -> Belongs {
    Belongs {
        table,
        to: "partners",
        by: &["partner_id"],
        name: |row| named::<kind::Partner>("partner_id")(row),
        since,
    }
}

const BELONGING: [Belongs; 8] = [
    of_partner("calendars", 1),
    of_partner("token_counts", 5),
    of_partner("sale_counts", 13),
    of_partner("erased_records", PERSONAL_DATA_SINCE),
    Belongs {
        table: "insurer_notices",
        to: "policies",
        by: &["partner_id", "policy_id"],
        name: |row| named::<kind::Policy>("policy_id")(row),
        since: 1,
    },
    Belongs {
        table: "status_pages",
        to: "proposals",
        by: &["partner_id", "proposal_id"],
        name: |row| named::<kind::Proposal>("proposal_id")(row),
        since: 1,
    },
    Belongs {
        table: "deliveries",
        to: "webhook_endpoints",
        by: &["partner_id", "endpoint_id"],
        name: |row| named::<kind::Event>("event_id")(row),
        since: 1,
    },
    Belongs {
        table: "webhook_subscriptions",
        to: "webhook_endpoints",
        by: &["partner_id", "endpoint_id"],
        name: |row| named::<kind::WebhookEndpoint>("endpoint_id")(row),
        since: 1,
    },
];

/// Checks that rows have the record to which they belong.
pub(super) fn belonging(look: &mut Look<'_>) {
    for Belongs { table, to, by, name, since } in BELONGING {
        if look.schema < since {
            continue;
        }
        let same: Vec<String> = by.iter().map(|column| format!("{to}.{column} = {table}.{column}")).collect();
        let statement = include_str!("../../sql/verify/without_parent.sql")
            .replace("{table}", table)
            .replace("{parent}", to)
            .replace("{by}", &by.join(", "))
            .replace("{same}", &same.join(" and "));
        look.without(table, &format!("its row in {to}"), &statement, name);
    }
}
