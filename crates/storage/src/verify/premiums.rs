//! The books: what premiums, receipts and deposits say is what the ledger says.

use domain::id::kind;
use domain::premium::{Account, Entry, ReceiptOutcome};

use super::records::PERSONAL_DATA_SINCE;
use super::{Look, named, texted};
use crate::fields::Fields;
use crate::records::premium;

pub(super) fn premiums(look: &mut Look<'_>) {
    let name = |row: Fields<'_>| named::<kind::Proposal>(row.from(1));
    look.rows("premiums", include_str!("../../sql/verify/premiums.sql"), name, |row, found| {
        let Some(premium) = found.read(premium::Found::columns(row)?.open(found.seal)) else { return Ok(()) };
        let books = premium.books;
        let accounts = [
            ("unsettled in the ledger", books.unsettled, row.get::<i64>(21)?),
            ("received in the ledger", books.received, row.get(22)?),
            ("applied in the ledger", books.applied, row.get(23)?),
            ("refundable in the ledger", books.refundable, row.get(24)?),
            ("collected in the ledger", books.held_here, -row.get::<i64>(25)?),
            ("refunds in the ledger", books.refunded, row.get(26)?),
        ];
        for (rule, amount, booked) in accounts {
            found.same_amount(rule, amount.paise(), booked);
        }
        Ok(())
    });
}

pub(super) fn receipts(look: &mut Look<'_>) {
    look.rows("receipts", include_str!("../../sql/verify/receipts.sql"), texted, |row, found| {
        let amount: i64 = row.get(1)?;
        found.same_amount("sum of its lines", amount, row.get(2)?);
        found.same_amount("receipt in the ledger", amount, row.get(3)?);
        Ok(())
    });
    let statement = include_str!("../../sql/verify/receipt_lines.sql");
    look.rows("receipt_lines", statement, texted, |row, found| {
        row.coded::<ReceiptOutcome>(1)?;
        found.there("its receipt", row.get(2)?);
        found.there("its premium", row.get(3)?);
        Ok(())
    });
    let unreceived = include_str!("../../sql/verify/unreceived.sql");
    look.without("ledger", "its receipt", unreceived, texted);
}

pub(super) fn deposits(look: &mut Look<'_>) {
    look.rows("deposits", include_str!("../../sql/verify/deposits.sql"), texted, |row, found| {
        found.same_amount("balance in the ledger", row.get(1)?, row.get(2)?);
        Ok(())
    });
}

/// Whether a record of the ledger was removed since.
const WAS_REMOVED: &str = "exists (select 1 from erased_records as removed \
     where removed.partner_id = ledger.partner_id and removed.record_id = ledger.proposal_id)";

pub(super) fn ledger(look: &mut Look<'_>) {
    let name = |row: Fields<'_>| row.get::<i64>(0).map(|number| number.to_string());
    let was_removed = match look.schema < PERSONAL_DATA_SINCE {
        true => "false",
        false => WAS_REMOVED,
    };
    let statement = include_str!("../../sql/verify/ledger.sql").replace("{was_removed}", was_removed);
    look.rows("ledger", &statement, name, |row, found| {
        row.coded::<Entry>(1)?;
        row.coded::<Account>(2)?;
        row.coded::<Account>(3)?;
        found.there("its policy or premium", row.get(4)?);
        Ok(())
    });
}
