//! Verifies statements: each with all bytes of its files, and with its answers.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use domain::date::{Timestamp, day_of};
use domain::id::{InsurerId, PartnerId, kind};
use domain::money::Rupees;
use domain::premium::Entry;
use domain::statement::{Month, Recipient, Statement, StatementKind};
use ports::storage::Result;
use ports::storage::statements::PartPosition;

use super::files::Whole;
use super::{Fault, Look, VerifiedRow, named, texted};
use crate::fields::{Coded, FromRow, values};
use crate::records::bank_reference::BankReference;
use crate::records::id_bytes;
use crate::records::statement::{AnswerRow, Row, open_part, owner};

pub(super) fn statements(look: &mut Look<'_>) {
    // Numbers of statements by their month and kind, to find a missing one.
    let numbers = RefCell::new(BTreeMap::<(Month, StatementKind), BTreeSet<u32>>::new());
    let bordereaux = RefCell::new(Bordereaux::default());
    look.rows(
        "statements",
        include_str!("../../sql/verify/statements.sql"),
        texted("number"),
        |row, found| {
            found.there("closed month of the statement", row.named("is_closed")?);
            let Some(statement) = found.read(Row::columns(row)?.open(found.seal)) else { return Ok(()) };
            let of: Option<PartnerId> = match statement.recipient {
                Recipient::Partner(partner) => Some(partner),
                Recipient::Insurer(_) | Recipient::Operator => None,
            };
            let nth = statement.number.rsplit('-').next().and_then(|nth| nth.parse().ok());
            let is_test = statement.number.starts_with("TEST-");
            if let Some(nth) = nth.filter(|_| !is_test) {
                numbers.borrow_mut().entry((statement.month, statement.kind)).or_default().insert(nth);
            }
            if !is_test {
                found.is_booked(&statement)?;
                bordereaux.borrow_mut().add(&statement);
            }
            for file in &statement.files {
                let whole = Whole { bytes: file.bytes, hash: file.hash };
                let values = values![owner(of), statement.id, file.format];
                let read = include_str!("../../sql/statement_parts/read.sql");
                found.must_be_whole(&whole, read, values, |number, sealed| {
                    let position = PartPosition { of, statement: statement.id, file: file.format, number };
                    open_part(found.seal, position, sealed)
                });
            }
            Ok(())
        },
    );
    for ((month, kind), numbers) in numbers.into_inner() {
        let last = numbers.last().copied().unwrap_or_default();
        let missing = (1..=last).find(|nth| !numbers.contains(nth));
        if let Some(nth) = missing {
            let record = format!("statements {}-{}-{nth:04}", kind.prefix(), month.number());
            look.verified.add(Fault::new(record, "series of statements", "a record", "none"));
        }
    }
    bordereaux.into_inner().compare(look);
    let parts = include_str!("../../sql/verify/statement_parts.sql");
    look.rows("statement_parts", parts, named::<kind::Statement>("statement_id"), |row, found| {
        found.there("its statement", row.get(2)?);
        Ok(())
    });
    let answers = include_str!("../../sql/verify/statement_answers.sql");
    look.rows("statement_answers", answers, named::<kind::Statement>("statement_id"), |row, found| {
        found.there("its statement", row.named("has_statement")?);
        found.read(AnswerRow::columns(row)?.open(found.seal));
        Ok(())
    });
}

/// What bordereaux and the ledger must agree on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sum {
    /// Premium of a month, less returned premium.
    Premium(Month),
    /// Commission of the months that were closed at this time.
    Commission(Timestamp),
}

/// Amounts by insurer, in paise.
type Sums = BTreeMap<(Sum, InsurerId), i64>;

/// Totals of premium bordereaux, to compare with the ledger.
#[derive(Default)]
struct Bordereaux {
    totals: Sums,
    /// What was closed with bordereaux.
    closed: BTreeSet<Sum>,
}

impl Bordereaux {
    fn add(&mut self, statement: &Statement) {
        if let (StatementKind::Premium, Recipient::Insurer(insurer)) = (statement.kind, statement.recipient) {
            let sums = [
                (Sum::Premium(statement.month), "total"),
                (Sum::Commission(statement.made_at), "commission"),
            ];
            for (sum, name) in sums {
                self.closed.insert(sum);
                let amount = total(statement, name).unwrap_or_default();
                *self.totals.entry((sum, insurer)).or_default() += amount.paise();
            }
        }
    }

    /// Notes a fault for each insurer whose bordereaux have another total than the ledger.
    fn compare(self, look: &mut Look<'_>) {
        let mut booked = Sums::new();
        let read = look.from.each(include_str!("../../sql/verify/premiums_of_months.sql"), &mut |row| {
            let (insurer, closed_at) =
                (row.named("insurer_id")?, row.named::<Option<Timestamp>>("closed_at")?);
            let day = Timestamp::from_second(86_400 * row.named::<i64>("day")?).unwrap_or_default();
            let sums = [
                (Some(Sum::Premium(Month::of(day_of(day)))), "premium"),
                (closed_at.map(Sum::Commission), "commission"),
            ];
            for (sum, column) in sums {
                if let Some(sum) = sum.filter(|sum| self.closed.contains(sum)) {
                    *booked.entry((sum, insurer)).or_default() += row.named::<i64>(column)?;
                }
            }
            Ok(())
        });
        if let Err(fault) = read {
            look.verified.add(Fault::new("ledger", "premiums of months", "readable rows", fault.into_why()));
        }
        let keys: BTreeSet<_> = self.totals.keys().chain(booked.keys()).copied().collect();
        for key in keys {
            let of = |sums: &Sums| sums.get(&key).copied().unwrap_or_default();
            if of(&self.totals) != of(&booked) {
                let (record, what) = match key {
                    (Sum::Premium(month), insurer) => (format!("{insurer} for {month}"), "premium"),
                    (Sum::Commission(at), insurer) => (format!("{insurer} of {at}"), "commission"),
                };
                let amount = |sums| Rupees::from_paise(of(sums)).grouped_with_paise();
                look.verified.add(Fault::new(
                    format!("statements of {record}"),
                    format!("{what} of the bordereaux in the ledger"),
                    amount(&self.totals),
                    amount(&booked),
                ));
            }
        }
    }
}

fn total(statement: &Statement, name: &str) -> Option<Rupees> {
    statement.totals.iter().find(|(known, _)| known == name).map(|(_, sum)| *sum)
}

impl VerifiedRow<'_> {
    /// Checks that the ledger has the amounts of a partner's commission statement, and its payment.
    fn is_booked(&mut self, statement: &Statement) -> Result<()> {
        let Recipient::Partner(partner) = statement.recipient else { return Ok(()) };
        if statement.kind != StatementKind::Commission {
            return Ok(());
        }
        let [newest, before, plain] =
            BankReference::candidates(self.seal, id_bytes(partner), &statement.number);
        let mut booked = BTreeMap::new();
        let read = include_str!("../../sql/verify/ledger_of_statement.sql");
        self.from.find(read, values![partner, newest, before, plain], &mut |row| {
            booked.insert(row.get::<Entry>(0)?.code(), row.get::<i64>(1)?);
            Ok(())
        })?;
        let of = |entry: Entry| booked.get(&entry.code()).copied().unwrap_or_default();
        let total = |name| total(statement, name).map(Rupees::paise);
        let paid = if statement.paid.is_some() { statement.payable().paise() } else { 0 };
        for (rule, amount, booked) in [
            ("commission in the ledger", total("commission"), of(Entry::PartnerCommission)),
            ("tax on commission in the ledger", total("gst_on_commission"), of(Entry::InputTax)),
            ("tax deducted in the ledger", total("tax_deducted_at_source"), -of(Entry::TaxWithheld)),
            ("payment in the ledger", Some(paid), -of(Entry::CommissionPaid)),
        ] {
            if let Some(amount) = amount {
                self.same_amount(rule, amount, booked);
            }
        }
        Ok(())
    }
}
