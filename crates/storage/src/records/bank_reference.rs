//! Bank references of payments (D134): a keyed hash, by which a payment is found, and the reference itself, sealed beside it.
//!
//! The hash stands in the column `reference`. Rows that a version before D134 wrote have the reference itself there and nothing
//! sealed, until [`Store::make_references_anew`] has passed.

use ports::storage::keys::{Renewed, RowProgress};
use ports::storage::{Result, StorageError};

use super::resealing::PAGE;
use crate::act::{Act, Statement, sql};
use crate::audit::UPKEEP;
use crate::fields::{Fields, values};
use crate::seal::Seal;
use crate::store::Store;

/// Label of sealed references. They are bound to no column: the hash beside each binds it to its partner.
const LABEL: &str = "bank_references";

/// Stands for the partner in references of payments of claims and refunds, which are unique across partners.
pub(crate) const OF_NO_PARTNER: [u8; 16] = [0; 16];

/// A reference as a row has it.
#[derive(Debug, Clone)]
pub(crate) struct BankReference {
    pub(crate) hash: String,
    pub(crate) sealed: Vec<u8>,
}

/// What is hashed. References that differ only in case have the same hash.
fn hashed<'p>(of: &'p [u8; 16], upper: &'p str) -> [&'p [u8]; 3] {
    [LABEL.as_bytes(), of, upper.as_bytes()]
}

/// A hash in capital hexadecimal digits, as the columns have it.
fn written(hash: [u8; 32]) -> String {
    hash.iter().map(|byte| format!("{byte:02X}")).collect()
}

impl BankReference {
    /// Of a partner, or [`OF_NO_PARTNER`].
    pub(crate) fn new(seal: &Seal, of: [u8; 16], plain: &str) -> Result<Self> {
        let hash = written(seal.hash(&hashed(&of, &plain.to_ascii_uppercase()))?);
        let sealed = seal.seal(LABEL, &[], plain.as_bytes())?;
        Ok(BankReference { hash, sealed })
    }

    /// What the column `reference` may have for it: a hash by the newest key, a hash by the key before, or the reference itself.
    pub(crate) fn candidates(seal: &Seal, of: [u8; 16], plain: &str) -> [String; 3] {
        let upper = plain.to_ascii_uppercase();
        let mut hashes = seal.hashes(&hashed(&of, &upper)).into_iter().map(written);
        let newest = hashes.next().unwrap_or_default();
        [newest.clone(), hashes.next().unwrap_or(newest), upper]
    }
}

/// A reference's columns, of whichever version.
pub(crate) struct Found {
    reference: Option<String>,
    sealed: Option<Vec<u8>>,
}

impl Found {
    pub(crate) fn columns(row: Fields<'_>) -> Result<Self> {
        Ok(Found { reference: row.get(0)?, sealed: row.get(1)? })
    }

    /// The reference as a person gave it.
    pub(crate) fn open(&self, seal: &Seal) -> Result<Option<String>> {
        let Some(sealed) = &self.sealed else { return Ok(self.reference.clone()) };
        let plain = seal.open(LABEL, &[], sealed)?;
        String::from_utf8(plain)
            .map(Some)
            .map_err(|_| StorageError::Damaged("a reference is not UTF-8".into()))
    }

    /// Whether a live key makes this hash from the sealed reference. True for a row of an earlier version, which has none.
    pub(crate) fn is_good(&self, seal: &Seal, of: [u8; 16]) -> Result<bool> {
        let [newest, before, _] = BankReference::candidates(seal, of, &self.open(seal)?.unwrap_or_default());
        let hash = self.reference.as_deref();
        Ok(self.sealed.is_none() || [Some(newest.as_str()), Some(before.as_str())].contains(&hash))
    }
}

/// A table with references.
struct Holder {
    /// The page of rows after a reference: the reference, what is sealed, and the partner where the table has one.
    page: Statement<'static>,
    has_partner: bool,
    /// Gives all rows of a reference its new hash.
    renew: fn(&mut dyn Act, &Renewal),
}

/// Receipts come first: with a receipt, its lines and those of the ledger change.
const HOLDERS: [Holder; 3] = [
    Holder {
        page: sql!("references/receipts"),
        has_partner: true,
        renew: |to, renewal| {
            let Renewal { of, before, now } = renewal;
            to.execute(sql!("references/change_receipt"), values![now.hash, now.sealed, of, before]);
            to.execute(sql!("references/change_receipt_lines"), values![now.hash, of, before]);
            renew_ledger(to, renewal);
        },
    },
    Holder { page: sql!("references/ledger"), has_partner: true, renew: renew_ledger },
    Holder {
        page: sql!("references/payments"),
        has_partner: false,
        renew: |to, Renewal { before, now, .. }| {
            to.execute(sql!("references/change_payment"), values![now.hash, now.sealed, before]);
        },
    },
];

fn renew_ledger(to: &mut dyn Act, Renewal { of, before, now }: &Renewal) {
    to.execute(sql!("references/change_ledger"), values![now.hash, now.sealed, of, before]);
}

/// A reference that gets another hash.
struct Renewal {
    of: [u8; 16],
    before: String,
    now: BankReference,
}

impl Store {
    /// Seals references that an earlier version wrote in clear, and hashes again those that an older key hashed.
    pub(super) async fn make_references_anew(
        &self,
        done: &mut Renewed,
        progress: &mut RowProgress<'_>,
    ) -> Result<()> {
        let all = done.rows + self.number(sql!("references/count"), values![]).await?;
        for holder in &HOLDERS {
            let (mut of, mut after) = (OF_NO_PARTNER, String::new());
            loop {
                let from = values![of, after, PAGE];
                let from = if holder.has_partner { &from[..] } else { &from[1..] };
                let columns = |row: Fields<'_>| {
                    let of = if holder.has_partner { row.get(2)? } else { OF_NO_PARTNER };
                    Ok((of, row.get(0)?, Found::columns(row)?))
                };
                let rows: Vec<([u8; 16], String, Found)> = self.all(holder.page, from, columns).await?;
                let read = rows.len();
                let mut renewals: Vec<Renewal> = Vec::new();
                for (partner, before, found) in rows {
                    (of, after) = (partner, before.clone());
                    let plain = found.open(&self.seal).map(Option::unwrap_or_default);
                    match plain.and_then(|plain| BankReference::new(&self.seal, of, &plain)) {
                        Ok(now) if now.hash != before => renewals.push(Renewal { of, before, now }),
                        Ok(_) => {}
                        Err(fault) => done.note_unreadable(format!("{LABEL} {before}: {}", fault.into_why())),
                    }
                }
                renewals.dedup_by(|one, other| one.of == other.of && one.before == other.before);
                done.rows = all.min(done.rows + read as u64);
                done.changed += renewals.len() as u64;
                if !renewals.is_empty() {
                    let renewed = self.act(UPKEEP, (holder.renew, renewals), |(renew, renewals), to| {
                        Box::pin(async move {
                            renewals.iter().for_each(|renewal| renew(to, renewal));
                            Ok(())
                        })
                    });
                    renewed.await?;
                }
                progress(done.rows, all);
                if read < PAGE {
                    break;
                }
            }
        }
        Ok(())
    }
}
