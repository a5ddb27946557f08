//! Health quotes (interface §2, §3; D14 to D18, D51).
//!
//! A quote has the family's data, the variants that are priced, and their offers.

use jiff::ToSpan;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::date::{BirthDate, Date, LeastAge, Timestamp, day_of};
use crate::id::{InsurerId, PartnerId, QuoteId, RecommendationId, SessionId, VariantId, counted_on};
use crate::identifier::{Identifier, IdentifierKind};
use crate::money::{Premium, Rupees};
use crate::person::{Email, HomePincode, Mobile, PersonalLine, PlatformId, contact_identifiers};
use crate::quote::CatalogueHash;
use crate::text::vocabulary;

/// Sum insured that applies if a request has none, or has zero (interface §2).
pub const DEFAULT_SUM_INSURED: Rupees = Rupees::whole(1_000_000);

vocabulary! {
    /// Relation of a member to the customer: a key of `members` (interface §2).
    Relation, "one of self, spouse, father, mother, daughter, son" {
        /// The customer. At most one.
        Own = "self",
        /// The customer's spouse. At most one.
        Spouse = "spouse",
        /// The customer's father. At most one.
        Father = "father",
        /// The customer's mother. At most one.
        Mother = "mother",
        /// A daughter. A family may have several.
        Daughter = "daughter",
        /// A son. A family may have several.
        Son = "son",
    }
}

impl Relation {
    /// Whether a family may have several members with this relation (D15).
    pub const fn may_repeat(self) -> bool {
        matches!(self, Relation::Daughter | Relation::Son)
    }
}

vocabulary! {
    /// Kind of cover requested.
    PlanType, "one of base, super_top_up" {
        /// Cover from the first rupee.
        Base = "base",
        /// Cover above a yearly deductible.
        SuperTopUp = "super_top_up",
    }
}

impl PlanType {
    /// Word for the plan type in responses (D18).
    pub const fn reported(self) -> &'static str {
        match self {
            PlanType::Base => "BASE",
            PlanType::SuperTopUp => "SUPER_TOP_UP",
        }
    }
}

/// Age in years from 0 to 120. Decimals are kept as given: `0.5` is six months (D15).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Age(Decimal);

impl Age {
    pub const MOST: Decimal = Decimal::from_parts(120, 0, 0, false, 0);

    /// An age in years. `None` outside 0 to 120.
    pub fn of(years: Decimal) -> Option<Self> {
        // Fast path: most ages are whole years.
        if years.scale() == 0 && !years.is_sign_negative() {
            return (0..=120).contains(&years.mantissa()).then_some(Age(years));
        }
        (years >= Decimal::ZERO && years <= Self::MOST).then(|| Age(years.normalize()))
    }

    /// Age on the day `on`, in completed years. For a child below one year: days divided by 365, because a
    /// product may begin at 91 days (D75). `None` before birth, and above 120.
    pub fn on(born: BirthDate, on: Date) -> Option<Self> {
        let years = born.age_on(on);
        if years != 0 {
            return Age::of(Decimal::from(years));
        }
        let days = Decimal::from(on.since(born.reveal()).ok()?.get_days().min(364));
        Age::of((days / Decimal::from(365)).round_dp(4))
    }

    /// Whether a person of this age may have reached `least`. An age in whole years counts completed years
    /// only, so the person may be almost one year older (D75).
    pub fn may_have_reached(self, least: LeastAge) -> bool {
        let year = Decimal::from(365);
        let days = if self.0.is_integer() {
            (self.0 + Decimal::ONE) * year - Decimal::ONE
        } else {
            (self.0 * year).round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero)
        };
        days >= Decimal::from(least.in_days())
    }

    pub const fn as_decimal(self) -> Decimal {
        self.0
    }

    /// Age in whole years. `None` if the age has decimals.
    pub const fn as_whole_years(self) -> Option<u8> {
        // Up to 120.
        if self.0.scale() == 0 { Some(self.0.mantissa() as u8) } else { None }
    }

    /// Completed years, which rates and limits use.
    pub fn completed_years(self) -> u16 {
        u16::try_from(self.0.trunc()).expect("0 to 120: checked by Age::of")
    }
}

impl std::fmt::Debug for Age {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Age(…)")
    }
}

/// Person to be insured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Relation to the customer.
    pub relation: Relation,
    pub age: Age,
}

/// Person who requests the quote. A field is `None` if the journey has not asked for it yet (D51).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    pub name: Option<PersonalLine>,
    /// Gender in the customer's own words (D14).
    pub gender: Option<PersonalLine>,
    /// Mobile number: 10 digits (D14).
    pub phone: Option<Mobile>,
    /// Pincode of the home. The pincode decides the price zone.
    pub pincode: HomePincode,
    pub email: Option<Email>,
}

/// Policy that the customer moves from another insurer. Moving a policy does not by itself change the price
/// (D16).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Porting {
    /// Years that the policy has run, if given.
    pub tenure: Option<Decimal>,
}

impl Porting {
    /// Completed months that the policy has run, at most 600. Zero if the customer did not say how long.
    pub fn months(&self) -> u16 {
        let months = self.tenure.map(|years| years.min(Decimal::from(50)) * Decimal::from(12));
        months.and_then(|months| u16::try_from(months.trunc()).ok()).unwrap_or(0)
    }
}

/// Other partner and enterprise for which the partner requests the quote, if any (D8).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attribution {
    /// `partner_id` as received.
    pub partner: Option<String>,
    /// `enterprise_id` as received.
    pub enterprise: Option<String>,
}

/// Request for a recommendation. `Debug` hides its content, because illnesses are personal data.
#[derive(Clone, PartialEq, Eq)]
pub struct HealthRequest {
    /// Lead id on the partner's platform. `None` if the journey made the request.
    pub lead: Option<PlatformId>,
    /// User id on the partner's platform. A journey sends it only if its token has one.
    pub user: Option<PlatformId>,
    /// Session of the quote, if the request named one (D37).
    pub session: Option<SessionId>,
    pub customer: Customer,
    /// Members to insure; at least one. In the order of [`Relation::ALL`]; members with the same relation in
    /// the order received.
    pub members: Vec<Member>,
    /// Whether any member has a pre-existing disease. If not, `selected_peds` is ignored (D16).
    pub has_ped: bool,
    /// Ids of pre-existing diseases, as received.
    pub selected_peds: Vec<String>,
    pub plan: PlanType,
    /// Requested sum insured. Never zero.
    pub sum_insured: Rupees,
    /// Requested deductible. Never zero. `None` if the request has no deductible.
    pub deductible: Option<Rupees>,
    /// Policy that the customer moves from another insurer, if any.
    pub porting: Option<Porting>,
    pub attribution: Attribution,
    /// For a renewal: first day of the unbroken cover. If this day is given, the age limits of renewals
    /// apply.
    pub covered_since: Option<Date>,
}

impl std::fmt::Debug for HealthRequest {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "HealthRequest({}, …)", self.plan)
    }
}

/// Premium for one length of cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TenurePrice {
    pub years: u8,
    /// Premium for all the years together.
    pub premium: Premium,
}

/// Terms that a variant offers to a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthOffer {
    /// Deductible per year. Zero if there is none.
    pub deductible: Rupees,
    /// Customer's share of each claim, in percent. 0 if there is none.
    pub copay_percent: u8,
    /// Prices by length of cover; at least one, shortest first. Each number of years occurs once.
    pub tenures: Vec<TenurePrice>,
}

/// Reason why a variant has no offer for a family. `Display` gives a sentence for people. Such a variant
/// counts as completed, but is not recommended (D17).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotOffered {
    /// An adult's age is outside the limits, in completed years.
    Age {
        /// Minimum age of an adult.
        least: u16,
        /// Maximum age of an adult.
        most: u16,
    },
    /// A child's age is outside the limits, in completed years.
    ChildAge {
        /// Minimum age of a child.
        least: u16,
        /// Maximum age of a child.
        most: u16,
    },
    /// A child's age is outside the limits, and the minimum age is in days or months.
    ChildAgeFrom {
        /// Minimum age of a child.
        least: LeastAge,
        /// Maximum age of a child, in completed years.
        most: u16,
    },
    /// The family has more or fewer adults or children than the variant covers.
    Family,
    /// The variant does not cover people with this relation to the customer.
    Relation(Relation),
    /// The variant is not sold at the customer's pincode.
    Zone,
    /// The variant does not have this sum insured.
    SumInsured,
    /// The variant does not have this deductible.
    Deductible,
    /// The variant is not sold to people with one of the illnesses in the request.
    Illness,
    /// An amount is larger than the service can represent.
    TooLarge,
    /// The insurer refused. The text is the insurer's own reason.
    InsurerRefused(String),
    /// The insurer could not be reached, or its response was invalid.
    InsurerFailed,
    /// The insurer did not answer in time.
    InsurerSlow,
}

impl std::fmt::Display for NotOffered {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotOffered::Age { least, most } => {
                write!(to, "This plan is for adults from {least} to {most} years of age.")
            }
            NotOffered::ChildAge { least, most } => {
                write!(to, "This plan covers children from {least} to {most} years of age.")
            }
            NotOffered::ChildAgeFrom { least, most } => {
                write!(to, "This plan covers children from {least} to {most} years of age.")
            }
            NotOffered::Family => to.write_str("This plan does not cover a family of this size."),
            NotOffered::Relation(relation) => {
                let who = match relation {
                    Relation::Own => "the customer",
                    Relation::Spouse => "a spouse",
                    Relation::Father => "a father",
                    Relation::Mother => "a mother",
                    Relation::Daughter => "a daughter",
                    Relation::Son => "a son",
                };
                write!(to, "This plan does not cover {who}.")
            }
            NotOffered::Zone => to.write_str("This plan is not sold at this pincode."),
            NotOffered::SumInsured => to.write_str("This plan is not offered with this sum insured."),
            NotOffered::Deductible => to.write_str("This plan is not offered with this deductible."),
            NotOffered::Illness => {
                to.write_str("This plan is not sold to people who have one of the illnesses named.")
            }
            NotOffered::TooLarge => to.write_str("This cover is too large to be priced."),
            NotOffered::InsurerRefused(reason) => to.write_str(reason),
            NotOffered::InsurerFailed => {
                to.write_str("The insurer could not give a price just now. Please try again later.")
            }
            NotOffered::InsurerSlow => {
                to.write_str("The insurer did not answer in time. Please try again later.")
            }
        }
    }
}

/// Result of pricing one variant.
pub type Outcome = Result<HealthOffer, NotOffered>;

/// Group of variants that are priced together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Insurer that prices the variants over HTTP. `None` if this service prices the variants from rate
    /// tables.
    pub insurer: Option<InsurerId>,
    /// Variants of the group; at least one.
    pub variants: Vec<VariantId>,
    /// One outcome per variant, all stored at once. `None` until the outcomes are known.
    pub outcomes: Option<Vec<Outcome>>,
}

vocabulary! {
    /// Status of a recommendation (interface, States; D17).
    JobStatus, "one of pending, success" {
        /// Some variants are not priced yet.
        Pending = "pending",
        /// Every variant has an offer, or a reason why there is none.
        Success = "success",
    }
}

/// Health quote with its recommendation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthQuote {
    pub id: QuoteId,
    /// Partner that requested the quote.
    pub partner: PartnerId,
    /// Time of the request. The prices of that day apply.
    pub created_at: Timestamp,
    pub request: HealthRequest,
    /// Hash of the catalogue version from which the variants come.
    pub catalogue: CatalogueHash,
    /// Groups of variants to price. The index of a variant counts the variants of all groups, from 0.
    pub asks: Vec<Ask>,
    /// Indexes of the variants with an offer, best first (D19). `None` while pending.
    pub ranking: Option<Vec<usize>>,
}

impl HealthQuote {
    /// Search keys: the platform's ids (D16), and the customer's mobile number and e-mail address.
    pub fn identifiers(&self) -> Vec<Identifier> {
        let Customer { phone, email, .. } = &self.request.customer;
        let mut all = self.platform_identifiers();
        all.extend(contact_identifiers(phone.as_ref(), email.as_ref()));
        all
    }

    /// Lead and user ids of the partner's platform (D16).
    pub fn platform_identifiers(&self) -> Vec<Identifier> {
        let HealthRequest { lead, user, .. } = &self.request;
        let named = |kind, id: &Option<PlatformId>| id.as_ref().map(|id| Identifier::of(kind, id.reveal()));
        named(IdentifierKind::Lead, lead).into_iter().chain(named(IdentifierKind::User, user)).collect()
    }

    pub const fn status(&self) -> JobStatus {
        if self.ranking.is_some() { JobStatus::Success } else { JobStatus::Pending }
    }

    /// Number of variants to price, in all groups.
    pub fn total_variants(&self) -> usize {
        self.asks.iter().map(|ask| ask.variants.len()).sum()
    }

    /// Number of finished variants, including those without an offer.
    pub fn completed_variants(&self) -> usize {
        self.asks.iter().filter(|ask| ask.outcomes.is_some()).map(|ask| ask.variants.len()).sum()
    }

    /// Whether these dates of birth give the quoted ages on the day of the quote, member by member.
    pub fn has_ages_of(&self, born: impl ExactSizeIterator<Item = BirthDate>) -> bool {
        let on = day_of(self.created_at);
        let members = &self.request.members;
        members.len() == born.len()
            && members
                .iter()
                .zip(born)
                .all(|(asked, born)| i32::from(born.age_on(on)) == i32::from(asked.age.completed_years()))
    }

    /// Last day in Asia/Kolkata to make a proposal from this quote, if quotes are valid for `days` days
    /// (D40).
    pub fn last_day(&self, days: u16) -> Date {
        day_of(self.created_at).saturating_add(i64::from(days).days())
    }

    /// All variants in index order, with their outcomes if known.
    pub fn variants(&self) -> impl Iterator<Item = (VariantId, Option<&Outcome>)> {
        self.asks.iter().flat_map(|ask| {
            ask.variants
                .iter()
                .enumerate()
                .map(|(at, variant)| (*variant, ask.outcomes.as_ref().and_then(|outcomes| outcomes.get(at))))
        })
    }

    /// Offer of the variant at an index. `None` if the variant has no offer or is not priced yet.
    fn offer(&self, index: usize) -> Option<(usize, VariantId, &HealthOffer)> {
        let mut at = index;
        for ask in &self.asks {
            if let Some(variant) = ask.variants.get(at) {
                return Some((index, *variant, ask.outcomes.as_ref()?.get(at)?.as_ref().ok()?));
            }
            at -= ask.variants.len();
        }
        None
    }

    /// All offers, each with the variant and its index. Best first if ranked, else by index (D42).
    pub fn offers(&self) -> impl Iterator<Item = (usize, VariantId, &HealthOffer)> {
        let ranking = self.ranking.as_deref();
        let count = ranking.map_or_else(|| self.total_variants(), <[usize]>::len);
        (0..count).filter_map(move |place| self.offer(ranking.map_or(place, |ranking| ranking[place])))
    }

    /// Best offer (D19). `None` if not all variants are priced yet, or if there is no offer.
    pub fn recommended(&self) -> Option<(usize, VariantId, &HealthOffer)> {
        self.ranking.as_ref()?.iter().find_map(|index| self.offer(*index))
    }

    /// Deductible of the request. If there is none: that of the recommended variant, or zero (D51).
    pub fn deductible_used(&self) -> Rupees {
        let recommended = || self.recommended().map(|(_, _, offer)| offer.deductible);
        self.request.deductible.or_else(recommended).unwrap_or(Rupees::ZERO)
    }

    /// Co-pay of the recommended variant in percent. 0 if there is none (D51).
    pub fn copay_percent(&self) -> u8 {
        self.recommended().map_or(0, |(_, _, offer)| offer.copay_percent)
    }

    /// Id of the whole recommendation. Derived from the quote's id, so it is not stored.
    pub fn recommendation_id(&self) -> RecommendationId {
        counted_on(self.id, 1)
    }

    /// Id of the item of the variant at an index. Derived from the quote's id, so item ids are not stored.
    pub fn item_id(&self, index: usize) -> RecommendationId {
        counted_on(self.id, index as u32 + 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_age_means_completed_years_and_a_decimal_age_is_exact() {
        let born = BirthDate::kept(Date::constant(2026, 1, 1)); // D75
        let on = |day: &str| Age::on(born, day.parse().expect("a day")).expect("an age");
        let ninety_one = LeastAge::Days(91);
        assert!(!on("2026-04-01").may_have_reached(ninety_one)); // 90 days
        assert!(on("2026-04-02").may_have_reached(ninety_one));
        assert_eq!(on("2026-12-31").completed_years(), 0);
        assert_eq!(on("2027-01-01").as_decimal(), Decimal::ONE);
        let told = |age: &str| Age::of(age.parse().expect("a number")).expect("an age");
        for (age, least, reached) in [
            ("0", ninety_one, true),
            ("0.2", ninety_one, false),
            ("0.25", ninety_one, true),
            ("0.25", LeastAge::Months(3), true),
            ("0.24", LeastAge::Months(3), false),
            ("1", LeastAge::Months(18), true),
            ("1.25", LeastAge::Months(18), false),
            ("0", LeastAge::Months(18), false),
        ] {
            assert_eq!(told(age).may_have_reached(least), reached, "{age} and {least}");
        }
    }
}
