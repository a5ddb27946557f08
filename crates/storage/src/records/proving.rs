//! Proves the rows that an earlier version wrote without proofs.

use ports::storage::keys::Renewed;
use ports::storage::{Fact, Result};

use super::bank_reference;
use super::resealing::{Cell, SealedColumn, bound_to, proofs};
use crate::audit::UPKEEP;
use crate::fields::{RowFields, Value, values};
use crate::operation::{Statement, sql};
use crate::store::Store;

/// Row without a proof: its primary key and its proof.
type Unproven = (Vec<Cell>, Vec<u8>);

impl Store {
    /// Rows of a page without a proof, each with its new proof.
    async fn unproven(&self, column: &SealedColumn, done: &mut Renewed) -> Result<Vec<Unproven>> {
        let keys = column.key.len();
        let read = |row: RowFields<'_>| {
            let cells: Vec<Cell> = (0..column.columns() - 1).map(|at| row.get(at)).collect::<Result<_>>()?;
            let reference = bank_reference::Found::columns(row.from(column.columns() - 1))?;
            let (key, bound) = cells.split_at(keys);
            let proof = reference.open(&self.seal).and_then(|reference| {
                let plain = reference.unwrap_or_default();
                self.seal.seal(column.table, &bound_to(bound), plain.as_bytes())
            });
            Ok((key.to_vec(), proof))
        };
        let page = column.unproven_page();
        let rows = self.all(Statement::of(&page), &[], read).await?;
        let mut proven = Vec::new();
        for (key, proof) in rows {
            match proof {
                Ok(proof) => proven.push((key, proof)),
                Err(fault) => done.note_unreadable(format!("{}: {}", column.name(&key), fault.into_why())),
            }
        }
        Ok(proven)
    }

    /// Proves the rows that an earlier version wrote, if there may be some. A process of that version may still
    /// write rows, so the fact is removed only once no row was found.
    pub(super) async fn prove_older_rows(&self) -> Result<u64> {
        let fact = Fact::RowsToProve.word();
        if self.first(sql!("facts/read"), values![fact], |row| row.get::<String>(0)).await?.is_none() {
            return Ok(0);
        }
        let mut done = Renewed::default();
        for column in proofs() {
            loop {
                let rows = self.unproven(column, &mut done).await?;
                if rows.is_empty() {
                    break;
                }
                done.changed += self.keep_proofs(column, rows).await?;
            }
        }
        if done.changed == 0 && done.unreadable == 0 {
            self.write(sql!("facts/forget"), values![fact]).await?;
        }
        Ok(done.changed)
    }

    async fn keep_proofs(&self, column: &'static SealedColumn, rows: Vec<Unproven>) -> Result<u64> {
        let kept = self.act(UPKEEP, (column, rows), |(column, rows), to| {
            Box::pin(async move {
                let sets = rows.iter().map(|(key, proof)| {
                    [Value::Bytes(proof)].into_iter().chain(column.key_values(key)).collect()
                });
                to.finish_changing(Statement::of(&column.prove_one()), &sets.collect::<Vec<_>>()).await
            })
        });
        Ok(kept.await?)
    }
}
