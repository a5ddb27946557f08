//! Verifies the books: premiums, receipts and deposits must agree with the ledger.

use domain::id::{ClaimId, InsurerId, PartnerId, PolicyId, kind};
use domain::premium::{Account, PaymentReference, ReceiptOutcome};
use ports::storage::Result;

use super::records::PERSONAL_DATA_SINCE;
use super::{Look, VerifiedRow, named, texted};
use crate::fields::{FromRow, RowFields, values};
use crate::records::bank_reference::{self, BankReference, OF_NO_PARTNER};
use crate::records::premium::{DEPOSITS, LedgerRow, ReceiptRow, bound_deposit};
use crate::records::{claim, id_bytes, policy, premium};

/// First version of the schema that has payments of claims and refunds.
const PAYMENTS_SINCE: i32 = 4;

pub(super) fn premiums(look: &mut Look<'_>) {
    let name = named::<kind::Proposal>("proposal_id");
    look.rows("premiums", include_str!("../../sql/verify/premiums.sql"), name, |row, found| {
        let Some(premium) = found.read(premium::Row::columns(row)?.open(found.seal)) else { return Ok(()) };
        let books = premium.books;
        let accounts = [
            ("unsettled amount in the ledger", books.unsettled, row.named::<i64>("unsettled_booked")?),
            ("received amount in the ledger", books.received, row.named("received_booked")?),
            ("applied amount in the ledger", books.applied, row.named("applied_booked")?),
            ("refundable amount in the ledger", books.refundable, row.named("refundable_booked")?),
            ("collected amount in the ledger", books.held_here, -row.named::<i64>("collected")?),
            ("refunded amount in the ledger", books.refunded, row.named("refunded_booked")?),
        ];
        for (rule, amount, booked) in accounts {
            found.same_amount(rule, amount.paise(), booked);
        }
        found.same("settled premium", books.is_settled(), row.named("settled")?);
        Ok(())
    });
}

pub(super) fn receipts(look: &mut Look<'_>) {
    let statement = look.with_columns(include_str!("../../sql/verify/receipts.sql"));
    look.rows("receipts", &statement, texted("reference"), |row, found| {
        let receipt = ReceiptRow::columns(row)?;
        let amount = receipt.amount.paise();
        found.same_amount("sum of the receipt's lines", amount, row.named("in_lines")?);
        found.same_amount("receipt in the ledger", amount, row.named("amount_booked")?);
        found.same_or_none(
            "time of the receipt in the ledger",
            row.named("booked_at")?,
            Some(receipt.told_at),
        );
        let (bound, of) = (receipt.bound(), id_bytes(receipt.partner_id));
        let reference = bank_reference::Found::of(Some(receipt.reference), receipt.sealed);
        judge_reference(found, of, &reference)?;
        let plain = found.read(reference.open(found.seal)).flatten();
        let proof = receipt.proof.as_deref();
        found.must_be_proven((ReceiptRow::TABLE, &bound), plain.as_deref(), proof)
    });
    let statement = include_str!("../../sql/verify/receipt_lines.sql");
    look.rows("receipt_lines", statement, named::<kind::Proposal>("proposal_id"), |row, found| {
        let outcome: ReceiptOutcome = row.get(1)?;
        found.there("its receipt", row.get(2)?);
        found.there("its premium", row.get(3)?);
        let credited: Option<Account> = row.named("credited")?;
        let of_outcome = match outcome {
            ReceiptOutcome::Matched => Account::Received,
            ReceiptOutcome::Mismatch => Account::Unsettled,
            ReceiptOutcome::RefundDue => Account::Refundable,
        };
        found.same("account of the receipt's outcome", credited.unwrap_or(of_outcome), of_outcome);
        Ok(())
    });
    let undeposited = include_str!("../../sql/verify/undeposited.sql");
    look.without("ledger", "its deposit", undeposited, numbered_line);
    let unreceived = include_str!("../../sql/verify/unreceived.sql");
    look.without("ledger", "its receipt", unreceived, numbered_line);
}

pub(super) fn deposits(look: &mut Look<'_>) {
    let statement = look.with_columns(include_str!("../../sql/verify/deposits.sql"));
    look.rows("deposits", &statement, texted("name"), |row, found| {
        found.same_amount("balance in the ledger", row.named("balance")?, row.named("booked")?);
        let (insurer, name): (InsurerId, String) = (row.named("insurer_id")?, row.named("name")?);
        let bound = bound_deposit(insurer, &name, row.named("guaranteed")?);
        found.must_be_proven((DEPOSITS, &bound), None, row.named("proof")?)
    });
}

/// Notes a fault if a bank reference's hash is not the hash of the encrypted reference.
fn judge_reference(
    found: &mut VerifiedRow<'_>,
    of: [u8; 16],
    reference: &bank_reference::Found,
) -> Result<()> {
    let is_good = reference.is_good(found.seal, of);
    if found.read(is_good) == Some(false) {
        found.fault("reference", "the hash of the encrypted reference", "another hash");
    }
    Ok(())
}

pub(super) fn payments(look: &mut Look<'_>) {
    if look.schema < PAYMENTS_SINCE {
        return;
    }
    let statement = look.with_columns(include_str!("../../sql/verify/payments.sql"));
    look.rows("payments", &statement, texted("reference"), |row, found| {
        let reference = bank_reference::Found::columns(row)?;
        if let Some(plain) = found.read(reference.open(found.seal)) {
            let (total, used): (Option<i64>, Option<i64>) = (row.named("total")?, row.named("used")?);
            let (mut parts, all) = (Some(0), row.get::<&str>(2)?);
            // Only a transfer whose total is stated pays several records.
            for paid_for in all.splitn(if total.is_some() { usize::MAX } else { 1 }, ' ') {
                let part = found.pays(paid_for, plain.as_deref().unwrap_or_default())?;
                parts = parts.zip(part).map(|(sum, part)| sum + part);
            }
            if total.is_some() || used.is_some() {
                found.same_or_none(
                    "parts of the transfer",
                    used.map(|_| parts.or(used).unwrap_or_default()),
                    used,
                );
                found.there("total of the transfer's parts", used.is_some() && used <= total);
            }
        }
        judge_reference(found, OF_NO_PARTNER, &reference)
    });
}

/// SQL condition that is true if the proposal of a ledger row was erased.
const WAS_REMOVED: &str = "exists (select 1 from erased_records as removed \
     where removed.partner_id = ledger.partner_id and removed.record_id = ledger.proposal_id)";

/// Name of a ledger row: its number.
fn numbered_line(row: RowFields<'_>) -> Result<String> {
    row.get::<i64>(0).map(|number| number.to_string())
}

pub(super) fn ledger(look: &mut Look<'_>) {
    let was_removed = match look.schema < PERSONAL_DATA_SINCE {
        true => "false",
        false => WAS_REMOVED,
    };
    let statement = include_str!("../../sql/verify/ledger.sql").replace("{was_removed}", was_removed);
    let statement = look.with_columns(&statement);
    look.rows("ledger", &statement, numbered_line, |row, found| {
        let line = LedgerRow::columns(row)?;
        let (bound, of) = (line.bound(), id_bytes(line.partner_id));
        let reference = bank_reference::Found::of(line.reference, line.sealed);
        let plain = found.read(reference.open(found.seal)).flatten();
        let proof = line.proof.as_deref();
        found.must_be_proven((LedgerRow::TABLE, &bound), plain.as_deref(), proof)?;
        found.there("policy or premium of the ledger line", row.named("has_sale")?);
        if row.named("is_of_other_insurer")? {
            found.fault("insurer of the ledger line", "the insurer of the premium", "another insurer");
        }
        if row.named("is_commission")? {
            let mut is_there = false;
            let numbered = include_str!("../../sql/statements/numbered.sql");
            found.from.find(numbered, values![plain.unwrap_or_default()], &mut |_| {
                is_there = true;
                Ok(())
            })?;
            found.there("statement of the ledger line", is_there);
        }
        judge_reference(found, of, &reference)
    });
}

impl VerifiedRow<'_> {
    /// Checks that the bank reference of a claim's or refund's payment is noted, so that it pays nothing else.
    /// Those of test partners are not.
    pub(super) fn must_be_noted(&mut self, row: RowFields<'_>, reference: &PaymentReference) -> Result<()> {
        if self.schema < PAYMENTS_SINCE || row.named("is_of_test")? {
            return Ok(());
        }
        let [newest, before, plain] = BankReference::candidates(self.seal, OF_NO_PARTNER, reference.as_str());
        let mut is_noted = false;
        self.from.find(
            include_str!("../../sql/verify/noted.sql"),
            values![newest, before, plain],
            &mut |_| {
                is_noted = true;
                Ok(())
            },
        )?;
        self.there("note of the payment's bank reference", is_noted);
        Ok(())
    }

    /// Checks that the claim or policy `paid_for` has a payment with this bank reference. A record that is missing
    /// was erased, or another rule finds that it is missing. If `paid_for` is a partner, a receipt has the reference.
    /// Returns what the payment paid of a claim in a transfer, in paise, if the claim is there.
    fn pays(&mut self, paid_for: &str, reference: &str) -> Result<Option<i64>> {
        let is_it = |paid: &PaymentReference| paid.as_str().eq_ignore_ascii_case(reference);
        let (mut is_its_own, mut part) = (true, None);
        if let Ok(claim) = paid_for.parse::<ClaimId>() {
            let read = include_str!("../../sql/verify/claim_of_any_partner.sql");
            self.from.find(read, values![claim], &mut |row| {
                let claim = claim::Row::columns(row)?.open(self.seal)?;
                is_its_own = claim.was_paid_with(reference);
                let own = claim.transfers.iter().filter(|transfer| is_it(&transfer.reference));
                part = Some(own.map(|transfer| transfer.amount.paise()).sum());
                Ok(())
            })?;
        } else if let Ok(policy) = paid_for.parse::<PolicyId>() {
            let read = include_str!("../../sql/verify/policy_of_any_partner.sql");
            self.from.find(read, values![policy], &mut |row| {
                let policy = policy::Row::columns(row)?.open(self.seal)?;
                let mut paid = policy.refunds().filter_map(|refund| refund.paid.as_ref());
                is_its_own = paid.any(|paid| is_it(&paid.reference));
                Ok(())
            })?;
        } else if paid_for.parse::<PartnerId>().is_err() {
            is_its_own = false;
        }
        self.there("claim or refund with this payment", is_its_own);
        Ok(part)
    }
}
