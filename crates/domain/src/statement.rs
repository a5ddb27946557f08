//! Monthly statements for insurers, partners and the operator (D85).
//!
//! They list sales, refunds, claims and commission.

use jiff::ToSpan;

use crate::date::{Date, Timestamp};
use crate::id::{InsurerId, PartnerId, PolicyId, StatementId};
use crate::money::Rupees;
use crate::period::Period;
use crate::premium::PaymentReference;
use crate::text::{FromText, vocabulary};

/// Calendar month in Asia/Kolkata, written `2026-11`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Month {
    first: Date,
}

impl Month {
    /// Month that contains a day.
    pub fn of(day: Date) -> Self {
        Month { first: day.first_of_month() }
    }

    /// Month from a number such as `202611`. `None` if there is no such month.
    pub fn from_number(number: i32) -> Option<Self> {
        let (year, month) = (i16::try_from(number / 100).ok()?, i8::try_from(number % 100).ok()?);
        Date::new(year, month, 1).ok().map(Month::of)
    }

    /// The month as a number: `202611`.
    pub fn number(self) -> i32 {
        i32::from(self.first.year()) * 100 + i32::from(self.first.month())
    }

    pub fn days(self) -> Period {
        Period { first: self.first, last: self.last_day() }
    }

    pub fn last_day(self) -> Date {
        self.first.last_of_month()
    }

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
        number.and_then(Month::from_number).ok_or("text that is not a month")
    }
}

vocabulary! {
    /// Subject of a statement.
    StatementKind, "one of premium, claims, commission, gst" {
        /// Sales and refunds for an insurer, one row per transaction: the premium bordereau.
        Premium = "premium",
        /// Claims on an insurer's policies: the claims bordereau.
        Claims = "claims",
        /// A partner's sales and its commission.
        Commission = "commission",
        /// GST on the month's premiums and refunds.
        Gst = "gst",
    }
}

impl StatementKind {
    /// Prefix of the statement's number.
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
    /// File format of a statement.
    FileFormat, "one of csv, xlsx" {
        /// Comma-separated values by RFC 4180.
        Csv = "csv",
        /// Excel workbook.
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
    /// Kind of transaction in a premium bordereau. Each transaction is a row, with its own premium or refund.
    Transaction, "one of NEW, ENDORSE, CANCEL" {
        /// The policy was issued.
        New = "NEW",
        Endorse = "ENDORSE",
        Cancel = "CANCEL",
    }
}

/// Identifies a row of a premium bordereau. No other row of any month has the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowKey {
    pub policy: PolicyId,
    pub transaction: Transaction,
    /// Number of the endorsement, from 1. 0 if the transaction is not an endorsement.
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
    /// Parses a row id. `None` if the text is not in canonical form.
    pub fn of_text(text: &str) -> Option<Self> {
        let (word, rest) = text.split_once('-')?;
        let transaction = *Transaction::ALL.iter().find(|transaction| transaction.word() == word)?;
        let (policy, nth) = match (transaction, rest.split_once('-')) {
            (Transaction::Endorse, Some((policy, nth))) => (policy, nth.parse().ok().filter(|nth| *nth > 0)?),
            (Transaction::New | Transaction::Cancel, None) => (rest, 0),
            _ => return None,
        };
        let key = RowKey { policy: policy.parse().ok()?, transaction, nth };
        // Each row has exactly one id, so `+2` and `02` are refused.
        (key.to_string() == text).then_some(key)
    }
}

/// Recipient of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recipient {
    /// Insurer, for its own policies.
    Insurer(InsurerId),
    /// Partner, for its own sales.
    Partner(PartnerId),
    Operator,
}

/// Statement of a closed month. Later, only its payment is added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub id: StatementId,
    /// Unique number, such as `PB-202611-0001`.
    pub number: String,
    pub month: Month,
    pub kind: StatementKind,
    pub recipient: Recipient,
    /// Part of the recipient's business that the statement covers, such as a master policy number. May be
    /// empty.
    pub subject: String,
    pub made_at: Timestamp,
    pub rows: u64,
    /// Name and amount of each total.
    pub totals: Vec<(String, Rupees)>,
    pub files: Vec<StatementFile>,
    /// For a partner's commission statement: amounts owed to the partner, one per insurer. Negative if the
    /// partner owes. Empty for other statements.
    pub dues: Vec<CommissionDue>,
    pub paid: Option<StatementPayment>,
}

/// Amount that is owed to a partner for a month's sales of one insurer's policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommissionDue {
    pub insurer: InsurerId,
    /// Commission with tax, less the tax deducted at source.
    pub amount: Rupees,
}

/// Payment of the operator to a partner for a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementPayment {
    /// Payer's reference of the payment, such as the bank's UTR.
    pub reference: PaymentReference,
    /// Day of payment, in Asia/Kolkata.
    pub paid_on: Date,
    /// When the payment was entered.
    pub noted_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementFile {
    pub format: FileFormat,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// SHA-256 of the file.
    pub hash: [u8; 32],
}

impl Statement {
    /// Total that is owed to the partner. Negative if the partner owes.
    pub fn payable(&self) -> Rupees {
        self.dues.iter().map(|due| due.amount).sum()
    }

    /// Whether money is still to be paid to the partner.
    pub fn is_owed(&self) -> bool {
        self.paid.is_none() && self.payable() > Rupees::ZERO
    }

    /// File name for downloads.
    pub fn file_name(&self, format: FileFormat) -> String {
        format!("{}.{format}", self.number)
    }
}

vocabulary! {
    /// Column of a premium bordereau. One row is one transaction.
    PremiumColumn, "the name of a column of a premium bordereau" {
        /// Id of the transaction. Unique among the rows of all months.
        RowId = "row_id",
        /// Last day of the statement's month.
        PeriodEnd = "period_end",
        InsurerId = "insurer_id",
        MasterPolicyNo = "master_policy_no",
        /// Product's unique identification number.
        ProductUin = "product_uin",
        /// NEW, ENDORSE or CANCEL.
        Transaction = "transaction",
        /// This service's policy number, printed on the certificate.
        CertificateNo = "certificate_no",
        /// Insurer's own policy number.
        InsurerPolicyNo = "insurer_policy_no",
        PartnerId = "partner_id",
        /// Partner's reference for the sale, such as the loan account number.
        LoanReference = "loan_reference",
        /// Names of the insured people.
        MemberName = "member_name",
        /// Dates of birth of the insured people.
        DateOfBirth = "date_of_birth",
        Gender = "gender",
        /// Kind of cover: single, joint, individual or floater.
        CoverType = "cover_type",
        /// Sum insured on the first day of cover.
        SumAssured = "sum_assured",
        /// First day of cover.
        CoverStart = "cover_start",
        /// Last day of cover.
        CoverEnd = "cover_end",
        /// Length of the cover in months.
        TermMonths = "term_months",
        IssueDate = "issue_date",
        /// First day on which the transaction takes effect.
        EffectiveDate = "effective_date",
        /// Premium without tax. Negative if the row is a refund.
        BasePremium = "base_premium",
        /// Tax rate in percent.
        GstRate = "gst_rate",
        Gst = "gst",
        /// Premium with tax.
        Total = "total",
        /// Commission rate in percent of the premium without tax.
        CommissionRate = "commission_rate",
        /// Commission that the insurer owes. Negative if commission is returned.
        Commission = "commission",
        /// `total` less `commission`.
        NetDue = "net_due",
        /// References of the payments of the premium.
        ReceiptReference = "receipt_reference",
        /// Day of the newest payment of the premium.
        ReceiptDate = "receipt_date",
        /// Reason of the cancellation, or kind of endorsement.
        Reason = "reason",
    }
}

vocabulary! {
    /// Column of a claims bordereau. One row is one claim, with its status at the end of the month.
    ClaimColumn, "the name of a column of a claims bordereau" {
        ClaimNo = "claim_no",
        /// Last day of the statement's month.
        PeriodEnd = "period_end",
        InsurerId = "insurer_id",
        MasterPolicyNo = "master_policy_no",
        /// Product's unique identification number.
        ProductUin = "product_uin",
        /// This service's policy number.
        CertificateNo = "certificate_no",
        /// Insurer's own policy number.
        InsurerPolicyNo = "insurer_policy_no",
        PartnerId = "partner_id",
        /// Partner's reference for the sale.
        LoanReference = "loan_reference",
        /// Name of the insured person concerned.
        MemberName = "member_name",
        /// Kind of claim, such as death.
        Kind = "kind",
        /// Day of the loss.
        EventDate = "event_date",
        /// Day of the first notice.
        NotifiedDate = "notified_date",
        /// Status at the end of the month.
        Status = "status",
        Claimed = "claimed",
        Paid = "paid_to_date",
        /// Approved amount that is not paid yet.
        Outstanding = "outstanding",
        /// Paid plus outstanding.
        Incurred = "incurred",
        /// Day on which the insurer decided the claim.
        DecidedOn = "decided_on",
        /// Whether the claim was rejected or repudiated.
        ReasonClass = "reason_class",
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_statement_month_is_written_as_yyyy_mm_and_has_its_calendar_days() {
        let month = Month::from_text("2028-02").expect("a month");
        assert_eq!((month.days().first, month.last_day()), (date(2028, 2, 1), date(2028, 2, 29)));
        assert_eq!((month.number(), month.to_string()), (202_802, "2028-02".to_owned()));
        assert_eq!(Month::from_number(202_801), Some(month.before()));
        for bad in ["2028-2", "2028-13", "202802", "2028-00", "28-02", "2028/02"] {
            assert!(Month::from_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_written_row_key_is_read_unchanged_and_malformed_keys_are_refused() {
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
