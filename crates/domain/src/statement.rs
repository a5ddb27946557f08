//! Statements of a month: what insurers, partners and the operator are told of what was sold, given back and claimed (D85).

use jiff::ToSpan;

use crate::date::{Date, Timestamp};
use crate::id::{InsurerId, PartnerId, PolicyId, StatementId};
use crate::money::Rupees;
use crate::period::Period;
use crate::premium::PaymentReference;
use crate::text::{FromText, vocabulary};

/// A month of the calendar, in Asia/Kolkata. Written `2026-11`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Month {
    first: Date,
}

impl Month {
    /// The month in which a day lies.
    pub fn of(day: Date) -> Self {
        Month { first: day.first_of_month() }
    }

    /// The month of its number, which is written `202611`. `None` where the calendar has none.
    pub fn from_number(number: i32) -> Option<Self> {
        let (year, month) = (i16::try_from(number / 100).ok()?, i8::try_from(number % 100).ok()?);
        Date::new(year, month, 1).ok().map(Month::of)
    }

    /// Its number: `202611`.
    pub fn number(self) -> i32 {
        i32::from(self.first.year()) * 100 + i32::from(self.first.month())
    }

    pub fn days(self) -> Period {
        Period { first: self.first, last: self.last_day() }
    }

    pub fn last_day(self) -> Date {
        self.first.last_of_month()
    }

    /// The month before it.
    pub fn before(self) -> Self {
        self.first.checked_sub(1.month()).map_or(self, Month::of)
    }
}

impl std::fmt::Display for Month {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{:04}-{:02}", self.first.year(), self.first.month())
    }
}

impl FromText for Month {
    const WANTED: &'static str = "a month written YYYY-MM";
    const PATTERN: Option<&'static str> = Some(r"^\s*[0-9]{4}-[0-9]{2}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let shaped = text.len() == 7
            && text
                .bytes()
                .enumerate()
                .all(|(at, byte)| if at == 4 { byte == b'-' } else { byte.is_ascii_digit() });
        let number = text.replace('-', "").parse().ok().filter(|_| shaped);
        number.and_then(Month::from_number).ok_or("text that is no such month")
    }
}

vocabulary! {
    /// What a statement is about.
    StatementKind, "one of premium, claims, commission, gst" {
        /// What was sold and given back in an insurer's name, a transaction a row: the premium bordereau.
        Premium = "premium",
        /// Claims on an insurer's policies: the claims bordereau.
        Claims = "claims",
        /// What a partner sold, and the commission that it earned.
        Commission = "commission",
        /// The tax of the month's premiums and of those that came back.
        Gst = "gst",
    }
}

impl StatementKind {
    /// What numbers of its statements begin with.
    pub const fn prefix(self) -> &'static str {
        match self {
            StatementKind::Premium => "PB",
            StatementKind::Claims => "CB",
            StatementKind::Commission => "CS",
            StatementKind::Gst => "GS",
        }
    }
}

vocabulary! {
    /// A file of a statement.
    FileFormat, "one of csv, xlsx" {
        /// Comma-separated values, as RFC 4180 has them.
        Csv = "csv",
        /// A workbook.
        Xlsx = "xlsx",
    }
}

impl FileFormat {
    pub const fn media_type(self) -> &'static str {
        match self {
            FileFormat::Csv => "text/csv; charset=utf-8",
            FileFormat::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

vocabulary! {
    /// What happened to a policy: a row of a premium bordereau is one of these, and what came back is a row of its own.
    Transaction, "one of NEW, ENDORSE, CANCEL" {
        /// It was issued.
        New = "NEW",
        Endorse = "ENDORSE",
        Cancel = "CANCEL",
    }
}

/// What a row of a premium bordereau tells of: no other row of any month is of the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowKey {
    pub policy: PolicyId,
    /// What happened to it.
    pub transaction: Transaction,
    /// Which of its endorsements, from 1 on; 0 for other transactions.
    pub nth: u16,
}

impl std::fmt::Display for RowKey {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.nth {
            0 => write!(to, "{}-{}", self.transaction, self.policy),
            nth => write!(to, "{}-{}-{nth}", self.transaction, self.policy),
        }
    }
}

impl RowKey {
    /// What a text names, where it is the id of a row.
    pub fn of_text(text: &str) -> Option<Self> {
        let (word, rest) = text.split_once('-')?;
        let transaction = *Transaction::ALL.iter().find(|transaction| transaction.word() == word)?;
        let (policy, nth) = match (transaction, rest.split_once('-')) {
            (Transaction::Endorse, Some((policy, nth))) => (policy, nth.parse().ok().filter(|nth| *nth > 0)?),
            (Transaction::New | Transaction::Cancel, None) => (rest, 0),
            _ => return None,
        };
        let key = RowKey { policy: policy.parse().ok()?, transaction, nth };
        // One row has one name: no `+2`, no `02`.
        (key.to_string() == text).then_some(key)
    }
}

/// Who is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recipient {
    /// An insurer, of its policies.
    Insurer(InsurerId),
    /// A partner, of what it sold.
    Partner(PartnerId),
    Operator,
}

/// A statement of a closed month. It never changes, but that its payment is noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub id: StatementId,
    /// Its number, which no other statement has: `PB-202611-0001`.
    pub number: String,
    pub month: Month,
    /// What it is about.
    pub kind: StatementKind,
    /// Who is told.
    pub recipient: Recipient,
    /// What of the recipient's it is about, such as the number of a master policy. May be empty.
    pub subject: String,
    /// When it was made.
    pub made_at: Timestamp,
    pub rows: u64,
    /// Its totals by their names.
    pub totals: Vec<(String, Rupees)>,
    pub files: Vec<StatementFile>,
    /// What a partner is owed by it, for each insurer's policies: below nought where the partner owes. Empty for other statements.
    pub dues: Vec<CommissionDue>,
    pub paid: Option<StatementPayment>,
}

/// What a partner is owed for a month's sales of an insurer's policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommissionDue {
    pub insurer: InsurerId,
    /// Its commission with the tax on it, less what is deducted at source.
    pub amount: Rupees,
}

/// A payment that the operator made to a partner for a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementPayment {
    /// What the payment is called, such as the bank's UTR.
    pub reference: PaymentReference,
    /// The day on which it was paid, in Asia/Kolkata.
    pub paid_on: Date,
    /// When that was noted.
    pub noted_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementFile {
    pub format: FileFormat,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub hash: [u8; 32],
}

impl Statement {
    /// All that a partner is owed by it.
    pub fn payable(&self) -> Rupees {
        self.dues.iter().map(|due| due.amount).sum()
    }

    /// What its file is called where it is saved.
    pub fn file_name(&self, format: FileFormat) -> String {
        format!("{}.{format}", self.number)
    }
}

vocabulary! {
    /// A column of a premium bordereau. One row is one transaction.
    PremiumColumn, "the name of a column of a premium bordereau" {
        /// Which transaction: no other row of any month has it.
        RowId = "row_id",
        /// The last day of the month.
        PeriodEnd = "period_end",
        InsurerId = "insurer_id",
        /// The number of the master policy.
        MasterPolicyNo = "master_policy_no",
        /// The product's unique identification number.
        ProductUin = "product_uin",
        /// NEW, ENDORSE or CANCEL.
        Transaction = "transaction",
        /// Our number, which stands on the certificate.
        CertificateNo = "certificate_no",
        /// The insurer's own number.
        InsurerPolicyNo = "insurer_policy_no",
        PartnerId = "partner_id",
        /// What the partner calls the sale, such as the loan account.
        LoanReference = "loan_reference",
        /// Names of those who are covered.
        MemberName = "member_name",
        /// Their days of birth.
        DateOfBirth = "date_of_birth",
        Gender = "gender",
        /// Single, joint, individual or floater.
        CoverType = "cover_type",
        /// Cover at the start.
        SumAssured = "sum_assured",
        /// First day of cover.
        CoverStart = "cover_start",
        /// Last day of cover.
        CoverEnd = "cover_end",
        /// Months of cover.
        TermMonths = "term_months",
        /// The day of issue.
        IssueDate = "issue_date",
        /// The day from which the transaction holds.
        EffectiveDate = "effective_date",
        /// Premium without tax; below nought where it comes back.
        BasePremium = "base_premium",
        /// The rate of tax, in percent.
        GstRate = "gst_rate",
        /// The tax.
        Gst = "gst",
        /// Premium with tax.
        Total = "total",
        /// The rate of commission, in percent of the premium without tax.
        CommissionRate = "commission_rate",
        /// The commission that the insurer owes; below nought where it goes back.
        Commission = "commission",
        /// The total less the commission.
        NetDue = "net_due",
        /// What payments of the premium are called.
        ReceiptReference = "receipt_reference",
        /// The day on which the newest of them came.
        ReceiptDate = "receipt_date",
        /// Why it was cancelled, or what of it was endorsed.
        Reason = "reason",
    }
}

vocabulary! {
    /// A column of a claims bordereau. One row is one claim, as it stood at the end of the month.
    ClaimColumn, "the name of a column of a claims bordereau" {
        /// The claim's id.
        ClaimNo = "claim_no",
        /// The last day of the month.
        PeriodEnd = "period_end",
        InsurerId = "insurer_id",
        /// The number of the master policy.
        MasterPolicyNo = "master_policy_no",
        /// The product's unique identification number.
        ProductUin = "product_uin",
        /// Our number of the policy.
        CertificateNo = "certificate_no",
        /// The insurer's own number of it.
        InsurerPolicyNo = "insurer_policy_no",
        PartnerId = "partner_id",
        /// What the partner calls the sale.
        LoanReference = "loan_reference",
        /// Who is affected.
        MemberName = "member_name",
        /// What for.
        Kind = "kind",
        /// The day of the event.
        EventDate = "event_date",
        /// The day of the notice.
        NotifiedDate = "notified_date",
        /// Where it stood.
        Status = "status",
        Claimed = "claimed",
        Paid = "paid_to_date",
        /// What is approved and was not paid.
        Outstanding = "outstanding",
        /// Paid and outstanding together.
        Incurred = "incurred",
        /// The day of the decision.
        DecidedOn = "decided_on",
        /// Rejected or repudiated.
        ReasonClass = "reason_class",
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_month_is_its_days_in_kolkata() {
        let month = Month::from_text("2028-02").expect("a month");
        assert_eq!((month.days().first, month.last_day()), (date(2028, 2, 1), date(2028, 2, 29)));
        assert_eq!((month.number(), month.to_string()), (202_802, "2028-02".to_owned()));
        assert_eq!(Month::from_number(202_801), Some(month.before()));
        for bad in ["2028-2", "2028-13", "202802", "2028-00", "28-02", "2028/02"] {
            assert!(Month::from_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_row_is_named_by_its_transaction_and_its_policy() {
        let policy = PolicyId::from_uuid(crate::id::Uuid::from_u128(7));
        for (transaction, nth) in
            [(Transaction::New, 0), (Transaction::Cancel, 0), (Transaction::Endorse, 12)]
        {
            let key = RowKey { policy, transaction, nth };
            assert_eq!(RowKey::of_text(&key.to_string()), Some(key));
        }
        let id = "pol_00000000000000000000000007";
        let bad = ["NEW", "NEW-", "NEW-clm_00000000000000000000000007", &format!("OLD-{id}")];
        let more = ["NEW-{id}-1", "ENDORSE-{id}", "ENDORSE-{id}-0", "ENDORSE-{id}-02", "ENDORSE-{id}-70000"];
        let more: Vec<String> = more.iter().map(|text| text.replace("{id}", id)).collect();
        for bad in bad.into_iter().chain(more.iter().map(String::as_str)) {
            assert_eq!(RowKey::of_text(bad), None, "{bad}");
        }
    }
}
