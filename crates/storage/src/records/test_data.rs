//! Jobs and records of test partners (D97).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;
use ports::storage::{Result, TestData};

use crate::fields::values;
use crate::operation::{Statement, sql};
use crate::store::Store;

/// Tables with a partner's records, each with its key columns, in the order of removal. A table comes after
/// the tables that refer to it.
pub(crate) const TABLES: &[(&str, &str)] = &[
    ("jobs", "partner_id, kind, subject_id"),
    ("deliveries", "partner_id, endpoint_id, event_id"),
    ("events", "partner_id, event_id"),
    ("kept_responses", "partner_id, idempotency_key"),
    ("request_log", "partner_id, batch_id"),
    ("tags", "partner_id, tag, subject_id"),
    ("withdrawn_consents", "partner_id, proposal_id, purpose"),
    ("erased_records", "partner_id, record_id"),
    ("insurer_notices", "partner_id, policy_id"),
    ("claim_parts", "partner_id, paper_id, number"),
    ("claim_papers", "partner_id, paper_id"),
    ("claim_moves", "partner_id, claim_id, sequence"),
    ("claims", "partner_id, claim_id"),
    ("replaced_certificates", "partner_id, policy_id, certificate_version"),
    ("policy_moves", "partner_id, policy_id, sequence"),
    ("policies", "partner_id, policy_id"),
    ("receipt_lines", "partner_id, reference, proposal_id"),
    ("receipts", "partner_id, reference"),
    ("ledger", "partner_id, number"),
    ("premiums", "partner_id, proposal_id"),
    ("status_pages", "partner_id, proposal_id"),
    ("moves", "partner_id, proposal_id, sequence"),
    ("proposals", "partner_id, proposal_id"),
    ("journeys", "partner_id, journey_id"),
    ("health_outcomes", "partner_id, quote_id, ask"),
    ("health_quotes", "partner_id, quote_id"),
    ("embedded_quotes", "partner_id, quote_id"),
    ("session_counts", "partner_id, session_id, kind"),
    ("day_counts", "partner_id, kind, day"),
    ("sessions", "partner_id, session_id"),
    ("statement_parts", "partner_id, statement_id, file, number"),
    ("statements", "partner_id, statement_id"),
    ("sale_counts", "partner_id, bucket"),
    ("calendars", "partner_id"),
];

/// Tables whose rows are not removed with test data: the partner, its secrets and its endpoints. Counts of
/// events also stay, so that no event number is used twice. The last two tables never have rows about a test
/// partner.
#[cfg(test)]
const KEPT: &[&str] = &[
    "partners",
    "secrets",
    "tokens",
    "token_counts",
    "event_counts",
    "webhook_endpoints",
    "webhook_subscriptions",
    "statement_answers",
    "complaints",
];

/// Statement that removes a partner's rows from a table. `$1` is the partner, `$2` the most rows to remove.
pub(crate) fn forget(table: &str, keys: &str) -> String {
    format!(
        "delete from {table} where partner_id = $1 and ({keys}) in (select {keys} from {table} where partner_id = $1 limit $2)"
    )
}

#[async_trait]
impl TestData for Store {
    async fn hurry_jobs(&self, of: PartnerId, now: Timestamp) -> Result<()> {
        self.write(sql!("jobs/hurry"), values![now, of, now]).await.map(|_| ())
    }

    async fn jobs_at_work(&self, of: PartnerId, now: Timestamp) -> Result<u64> {
        self.number(sql!("jobs/at_work"), values![of, now]).await
    }

    async fn forget_test_data(&self, of: PartnerId, most: usize) -> Result<usize> {
        let mut forgotten = 0;
        for (table, keys) in TABLES {
            forgotten += self.write(Statement::of(&forget(table, keys)), values![of, most]).await? as usize;
        }
        Ok(forgotten)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Tables of a schema that have the column `partner_id`.
    fn of_partners(schema: &str) -> Vec<&str> {
        let tables = schema.split("create table ").skip(1);
        let named = tables.filter(|table| {
            let columns = table.split("\n)").next().unwrap_or_default();
            columns.contains("\n    partner_id ")
        });
        named.map(|table| table.split_whitespace().next().unwrap_or_default()).collect()
    }

    #[test]
    fn every_table_with_records_of_partners_is_listed_as_removed_or_kept() {
        for engine in ["sqlite", "postgres"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(engine);
            let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
            let schema: String = files.map(|file| fs::read_to_string(file).expect("text")).collect();
            for table in of_partners(&schema) {
                let is_removed = TABLES.iter().any(|(removed, _)| *removed == table);
                assert!(is_removed != KEPT.contains(&table), "{table}"); // D97
            }
            for (table, _) in TABLES {
                assert!(of_partners(&schema).contains(table), "{table} is no table of a partner");
            }
        }
    }
}
