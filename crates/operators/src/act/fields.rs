//! Types of fields that several actions have.

use domain::bank::Ifsc;
use domain::cancellation::CancellationReason;
use domain::claim::{AccountNumber, ClaimKind};
use domain::date::Date;
use domain::id::{Id, Kind, PartnerId, PolicyId, prefix};
use domain::identifier::{Identifier, IdentifierKind};
use domain::money::Rupees;
use domain::period::IsoDate;
use domain::person::{Email, IndianMobile, PersonalLine, PlatformId};
use domain::policy::PolicyNumber;
use domain::premium::{PaidAmount, PaymentReference};
use domain::statement::Month;
use domain::team::Role;
use domain::text::FromText;
use serde_json::{Value, json};
use web::reading::{FieldLocation, Shape, text};

use crate::act::arguments::fault;
use crate::act::input::{FieldValue, input, texts};
use crate::act::record::policy_id;
use crate::act::{On, Result};

texts!(
    AccountNumber,
    CancellationReason,
    ClaimKind,
    Email,
    Ifsc,
    IndianMobile,
    PaymentReference,
    PersonalLine,
    PlatformId,
    PolicyNumber,
    Role,
);

/// Makes a type usable as a field whose text another type parses.
macro_rules! parsed {
    ($($ty:ty: $text:ty, $value:literal, $convert:expr;)+) => {$(
        impl FieldValue for $ty {
            const VALUE: Option<&'static str> = Some($value);

            fn schema() -> Value {
                text::<$text>().schema()
            }

            fn wanted() -> String {
                text::<$text>().wanted()
            }

            fn read(value: &Value, at: &mut FieldLocation<'_>) -> Option<Self> {
                text::<$text>().read(value, at).map($convert)
            }
        }
    )+};
}

parsed! {
    Month: Month, "MONTH", |month| month;
    Rupees: PrintedAmount, "AMOUNT", |PrintedAmount(amount)| amount;
}

/// Amount of a payment in digits, or as covernote and bank statements print it.
struct PrintedAmount(Rupees);

impl FromText for PrintedAmount {
    const WANTED: &'static str =
        "an amount in rupees above zero and at most 1000000000000, such as 500000, 5,00,000.00 or ₹5,00,000";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let printed = text.strip_prefix('₹').unwrap_or(text).trim_start();
        let PaidAmount(amount) = PaidAmount::from_text(&printed.replace(',', ""))?;
        let forms = [amount.grouped(), amount.grouped_with_paise()];
        let is_grouped = forms.iter().any(|form| form.trim_start_matches('₹') == printed);
        match is_grouped || !printed.contains(',') {
            true => Ok(PrintedAmount(amount)),
            false => Err("an amount with commas in other places"),
        }
    }
}

impl FieldValue for Date {
    const VALUE: Option<&'static str> = Some("DAY");

    fn schema() -> Value {
        json!({ "type": "string", "format": "date" })
    }

    fn wanted() -> String {
        text::<IsoDate>().wanted()
    }

    fn read(value: &Value, at: &mut FieldLocation<'_>) -> Option<Self> {
        text::<IsoDate>().read(value, at).map(|IsoDate(day)| day)
    }
}

/// An id. `x-record` of its schema is the prefix of the ids of its kind of record.
impl<K: Kind> FieldValue for Id<K> {
    fn schema() -> Value {
        let kind = prefix::<K>();
        json!({ "type": "string", "pattern": format!("^{kind}_[0-9a-z]{{26}}$"), "x-record": kind })
    }

    fn wanted() -> String {
        format!("an id: {}_ and 26 characters", prefix::<K>())
    }

    fn read(value: &Value, at: &mut FieldLocation<'_>) -> Option<Self> {
        let read = value.as_str().and_then(|text| text.trim().parse().ok());
        if read.is_none() {
            at.mismatch(value, &Self::wanted());
        }
        read
    }
}

/// Makes a text that names a record usable as a field.
macro_rules! names {
    ($($(#[$doc:meta])* $name:ident, $record:literal, $value:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub(crate) struct $name(pub(crate) String);

        impl FieldValue for $name {
            const VALUE: Option<&'static str> = Some($value);

            fn schema() -> Value {
                json!({ "type": "string", "x-record": $record })
            }

            fn wanted() -> String {
                String::wanted()
            }

            fn read(value: &Value, at: &mut FieldLocation<'_>) -> Option<Self> {
                String::read(value, at).map(|name| $name(name.trim().to_owned()))
            }
        }
    )+};
}

names! {
    /// A policy by its id, or by a number on its documents.
    PolicyName, "pol", "POLICY";
    /// A partner by its partner_id or its client_id.
    PartnerName, "par", "PARTNER";
    /// An operator by name or id.
    OperatorName, "opr", "OPERATOR";
    /// A waiting task by its key.
    TaskName, "task", "TASK";
    /// A statement by its number.
    StatementName, "statement", "NUMBER";
}

impl PolicyName {
    /// The policy's id.
    ///
    /// # Errors
    /// If no policy has this number, or if several have it.
    pub(crate) async fn find(&self, on: &On) -> Result<PolicyId> {
        policy_id(on, &self.0).await
    }
}

impl PartnerName {
    /// The partner's id.
    pub(crate) async fn find(&self, on: &On) -> Result<PartnerId> {
        Ok(on.service.partners.find(&self.0).await?.partner.id)
    }
}

/// The reason of a decision. A refusal must have one.
///
/// # Errors
/// If a refusal has no reason.
pub(crate) fn needed_reason(reason: Option<PersonalLine>, refuses: bool) -> Result<Option<PersonalLine>> {
    match reason {
        None if refuses => Err(fault("reason", "Required for a refusal.")),
        reason => Ok(reason),
    }
}

input! {
    /// A payment that was made outside this service
    struct PaymentMade {
        /// Reference of the payment, such as the bank's UTR; the same payment again changes nothing
        reference: PaymentReference,
        /// Day of the payment, YYYY-MM-DD [default: today]
        paid_on: Option<Date>,
        /// Paid amount in rupees, including interest for late payment [default: the amount owed on that day]
        amount: Option<Rupees>,
    }
}

impl PaymentMade {
    /// Paid amount, if given.
    pub(crate) fn amount(&self) -> Option<Rupees> {
        self.amount
    }

    /// Reference, day and, if given, amount.
    pub(crate) fn made(self, today: Date) -> (PaymentReference, Date, Option<Rupees>) {
        (self.reference, self.paid_on.unwrap_or(today), self.amount)
    }
}

input! {
    /// What a customer is known by; give exactly one
    struct CustomerIdentifier {
        /// Mobile number of the customer, 10 digits
        #[flag(one_of = "identifier")]
        mobile: Option<IndianMobile>,
        /// E-mail address of the customer
        #[flag(one_of = "identifier")]
        email: Option<String>,
        /// PAN (permanent account number) of the customer
        #[flag(one_of = "identifier")]
        pan: Option<String>,
        /// The partner's reference of a sale, such as a loan account
        #[flag(one_of = "identifier")]
        reference: Option<String>,
    }
}

impl CustomerIdentifier {
    /// Whether it is the mobile number, e-mail address or PAN of a person.
    pub(crate) fn is_of_person(&self) -> bool {
        self.identifier().is_some_and(|by| by.kind != IdentifierKind::Reference)
    }

    pub(crate) fn identifier(&self) -> Option<Identifier> {
        let CustomerIdentifier { mobile, email, pan, reference } = self;
        let others = [
            (IdentifierKind::Email, email),
            (IdentifierKind::Pan, pan),
            (IdentifierKind::Reference, reference),
        ];
        let mut others = others
            .into_iter()
            .filter_map(|(kind, value)| Some(Identifier::of(kind, value.as_deref()?.trim())));
        mobile.as_ref().map(|IndianMobile(mobile)| mobile.identifier()).or_else(|| others.next())
    }
}

input! {
    /// What a partner knows a customer by; give exactly one
    struct PlatformIdentifier {
        /// The partner's id of a lead
        #[flag(value = "ID", one_of = "identifier")]
        lead_id: Option<PlatformId>,
        /// The partner's id of an end user
        #[flag(value = "ID", one_of = "identifier")]
        user_id: Option<PlatformId>,
    }
}

impl PlatformIdentifier {
    pub(crate) fn identifier(&self) -> Option<Identifier> {
        let lead = self.lead_id.as_ref().map(|id| id.identifier(IdentifierKind::Lead));
        lead.or_else(|| self.user_id.as_ref().map(|id| id.identifier(IdentifierKind::User)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_as_covernote_and_bank_statements_print_it() {
        for text in
            ["500000", "500000.00", "5,00,000", "5,00,000.00", "₹5,00,000.00", "₹ 5,00,000", "₹500000"]
        {
            let read = PrintedAmount::from_text(text).map(|PrintedAmount(amount)| amount);
            assert_eq!(read, Ok(Rupees::whole(500_000)), "{text}");
        }
        for text in ["500,000", "5,0000", "50,00,00", "₹", "₹₹5", "0", "-5", "5,00,000.000", "Rs 5"] {
            assert!(PrintedAmount::from_text(text).is_err(), "{text}");
        }
    }
}
