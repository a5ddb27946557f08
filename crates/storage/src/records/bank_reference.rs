//! Bank references of payments (D134): a payment is found by a keyed hash of its reference. The reference
//! itself is encrypted in another column.
//!
//! The hash is in the column `reference`. In rows written before D134 this column has the reference in clear
//! text, until [`Store::make_references_anew`] has run.

use ports::storage::keys::{Renewed, RowProgress};
use ports::storage::{Result, StorageError};

use super::PAGE;
use crate::audit::UPKEEP;
use crate::fields::{RowFields, values};
use crate::operation::{Operation, Statement, sql};
use crate::seal::Seal;
use crate::store::Store;

/// Label with which references are encrypted. They are bound to no column, because the hash in the same row
/// binds each reference to its partner.
const LABEL: &str = "bank_references";

/// Used instead of a partner's id for references that are unique across partners, such as those of payments
/// for claims and refunds.
pub(crate) const OF_NO_PARTNER: [u8; 16] = [0; 16];

/// Bank reference as stored in a row.
#[derive(Debug, Clone)]
pub(crate) struct BankReference {
    pub(crate) hash: String,
    pub(crate) sealed: Vec<u8>,
}

/// Bytes of a reference that are hashed. `upper` is in upper case, so references that differ only in case
/// have the same hash.
fn hashed<'p>(of: &'p [u8; 16], upper: &'p str) -> [&'p [u8]; 3] {
    [LABEL.as_bytes(), of, upper.as_bytes()]
}

/// Hash as text for the column: upper-case hexadecimal digits.
fn written(hash: [u8; 32]) -> String {
    hash.iter().map(|byte| format!("{byte:02X}")).collect()
}

impl BankReference {
    /// Hashes and encrypts a bank reference. `of`: a partner's id, or [`OF_NO_PARTNER`].
    pub(crate) fn new(seal: &Seal, of: [u8; 16], plain: &str) -> Result<Self> {
        let hash = written(seal.hash(&hashed(&of, &plain.to_ascii_uppercase()))?);
        let sealed = seal.seal(LABEL, &[], plain.as_bytes())?;
        Ok(BankReference { hash, sealed })
    }

    /// Values that the column `reference` may have for a bank reference: the hash by the newest key, the hash
    /// by the previous key, or the reference itself.
    pub(crate) fn candidates(seal: &Seal, of: [u8; 16], plain: &str) -> [String; 3] {
        let upper = plain.to_ascii_uppercase();
        let mut hashes = seal.hashes(&hashed(&of, &upper)).into_iter().map(written);
        let newest = hashes.next().unwrap_or_default();
        [newest.clone(), hashes.next().unwrap_or(newest), upper]
    }
}

/// Columns of a bank reference: hashed, or in clear text if written before D134.
pub(crate) struct Found {
    reference: Option<String>,
    sealed: Option<Vec<u8>>,
}

impl Found {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(Found { reference: row.get(0)?, sealed: row.get(1)? })
    }

    pub(crate) fn of(reference: Option<String>, sealed: Option<Vec<u8>>) -> Self {
        Found { reference, sealed }
    }

    /// Decrypted reference, as it was entered.
    pub(crate) fn open(&self, seal: &Seal) -> Result<Option<String>> {
        let Some(sealed) = &self.sealed else { return Ok(self.reference.clone()) };
        let plain = seal.open(LABEL, &[], sealed)?;
        String::from_utf8(plain)
            .map(Some)
            .map_err(|_| StorageError::Damaged("a bank reference is not UTF-8".into()))
    }

    /// Whether the hash is that of the encrypted reference, by a live key. True for a row from before D134,
    /// because its reference is not encrypted.
    pub(crate) fn is_good(&self, seal: &Seal, of: [u8; 16]) -> Result<bool> {
        let [newest, before, _] = BankReference::candidates(seal, of, &self.open(seal)?.unwrap_or_default());
        let hash = self.reference.as_deref();
        Ok(self.sealed.is_none() || [Some(newest.as_str()), Some(before.as_str())].contains(&hash))
    }
}

/// Table that has bank references.
struct Holder {
    /// Reads the next page of rows: the columns `reference` and `sealed`, and the partner if the table has
    /// one.
    page: Statement<'static>,
    has_partner: bool,
    /// Writes the new hash into all rows that have the reference.
    renew: fn(&mut dyn Operation, &Renewal),
}

/// Receipts come first, because the lines and ledger rows of a receipt are changed together with the receipt.
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

fn renew_ledger(to: &mut dyn Operation, Renewal { of, before, now }: &Renewal) {
    to.execute(sql!("references/change_ledger"), values![now.hash, now.sealed, of, before]);
}

/// Bank reference that gets a new hash.
struct Renewal {
    of: [u8; 16],
    before: String,
    now: BankReference,
}

impl Store {
    /// Encrypts and hashes bank references that an earlier version wrote in clear text. Hashes references
    /// again that an older key hashed.
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
                let columns = |row: RowFields<'_>| {
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
