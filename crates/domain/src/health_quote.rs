//! The health quote: whom it is for, which variants are asked, and what they offer (interface §2, §3; D14 to D18, D51).

use jiff::ToSpan;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::date::{BirthDate, Date, LeastAge, Timestamp, day_of};
use crate::id::{InsurerId, PartnerId, QuoteId, RecommendationId, SessionId, VariantId, counted_on};
use crate::identifier::{Identifier, IdentifierKind};
use crate::money::{Premium, Rupees};
use crate::person::{Email, HomePincode, Mobile, PersonalLine, PlatformId, contact_identifiers};
use crate::quote::CatalogueHash;
use crate::text::vocabulary;

/// Sum insured of a request that names none, or zero (interface §2).
pub const DEFAULT_SUM_INSURED: Rupees = Rupees::whole(1_000_000);

vocabulary! {
    /// What a member is to the customer: a key of `members` (interface §2).
    Relation, "one of self, spouse, father, mother, daughter, son" {
        /// The customer. At most one.
        Own = "self",
        /// At most one.
        Spouse = "spouse",
        /// At most one.
        Father = "father",
        /// At most one.
        Mother = "mother",
        /// Any number.
        Daughter = "daughter",
        /// Any number.
        Son = "son",
    }
}

impl Relation {
    /// Whether a family may have several (D15).
    pub const fn may_repeat(self) -> bool {
        matches!(self, Relation::Daughter | Relation::Son)
    }
}

vocabulary! {
    /// What kind of cover is asked for.
    PlanType, "one of base, super_top_up" {
        /// Cover from the first rupee.
        Base = "base",
        /// Cover above a deductible in a year.
        SuperTopUp = "super_top_up",
    }
}

impl PlanType {
    /// As answers report it (D18).
    pub const fn reported(self) -> &'static str {
        match self {
            PlanType::Base => "BASE",
            PlanType::SuperTopUp => "SUPER_TOP_UP",
        }
    }
}

/// An age in years from 0 to 120, kept as it was given: `0.5` is six months (D15).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Age(Decimal);

impl Age {
    /// The greatest age there is.
    pub const MOST: Decimal = Decimal::from_parts(120, 0, 0, false, 0);

    /// An age of so many years; `None` outside 0 to 120.
    pub fn of(years: Decimal) -> Option<Self> {
        // Whole years, as most ages are, need no more.
        if years.scale() == 0 && !years.is_sign_negative() {
            return (0..=120).contains(&years.mantissa()).then_some(Age(years));
        }
        (years >= Decimal::ZERO && years <= Self::MOST).then(|| Age(years.normalize()))
    }

    /// The age of somebody born then on a day: completed years, and below one year the days of 365, so that a product
    /// can begin at 91 days (D75). `None` before the birth and outside 0 to 120.
    pub fn on(born: BirthDate, on: Date) -> Option<Self> {
        let years = born.age_on(on);
        if years != 0 {
            return Age::of(Decimal::from(years));
        }
        let days = Decimal::from(on.since(born.reveal()).ok()?.get_days().min(364));
        Age::of((days / Decimal::from(365)).round_dp(4))
    }

    /// Whether somebody of this age may have reached another one. An age in whole years says only how many are completed,
    /// so that nearly a year more is possible (D75).
    pub fn may_have_reached(self, least: LeastAge) -> bool {
        let year = Decimal::from(365);
        let days = if self.0.is_integer() {
            (self.0 + Decimal::ONE) * year - Decimal::ONE
        } else {
            (self.0 * year).round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero)
        };
        days >= Decimal::from(least.in_days())
    }

    /// As it was given.
    pub const fn as_decimal(self) -> Decimal {
        self.0
    }

    /// Whole years, where it was given in them.
    pub const fn as_whole_years(self) -> Option<u8> {
        // Up to 120.
        if self.0.scale() == 0 { Some(self.0.mantissa() as u8) } else { None }
    }

    /// Completed years, by which rates and limits go.
    pub fn completed_years(self) -> u16 {
        u16::try_from(self.0.trunc()).expect("0 to 120: checked by Age::of")
    }
}

impl std::fmt::Debug for Age {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Age(…)")
    }
}

/// A person to be covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// What the person is to the customer.
    pub relation: Relation,
    /// How old.
    pub age: Age,
}

/// Whom the quote is for. What a journey has not yet asked for is `None` (D51).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// Full name.
    pub name: Option<PersonalLine>,
    /// Gender in the customer's own words (D14).
    pub gender: Option<PersonalLine>,
    /// Mobile number, as its 10 digits (D14).
    pub phone: Option<Mobile>,
    /// Where the customer lives: it decides the zone.
    pub pincode: HomePincode,
    /// E-mail address.
    pub email: Option<Email>,
}

/// A policy that the customer brings along from another insurer. It changes no price by itself (D16).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Porting {
    /// Years it has run, where told.
    pub tenure: Option<Decimal>,
}

impl Porting {
    /// Completed months that it had run, where that was told; at most those of 50 years.
    pub fn months(&self) -> u16 {
        let months = self.tenure.map(|years| years.min(Decimal::from(50)) * Decimal::from(12));
        months.and_then(|months| u16::try_from(months.trunc()).ok()).unwrap_or(0)
    }
}

/// Whom the partner attributes the quote to, where it says so (D8).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attribution {
    /// `partner_id` as it was sent.
    pub partner: Option<String>,
    /// `enterprise_id` as it was sent.
    pub enterprise: Option<String>,
}

/// What a partner asks to be recommended. It does not print: illnesses are as personal as names.
#[derive(Clone, PartialEq, Eq)]
pub struct HealthRequest {
    /// Lead on the partner's platform; none where the journey asks.
    pub lead: Option<PlatformId>,
    /// End user on the partner's platform; likewise.
    pub user: Option<PlatformId>,
    /// The session it belongs to, where one was named (D37).
    pub session: Option<SessionId>,
    pub customer: Customer,
    /// At least one, in the order of [`Relation::ALL`], and within a relation as sent.
    pub members: Vec<Member>,
    /// Whether any member has a pre-existing disease: decides whether `selected_peds` count (D16).
    pub has_ped: bool,
    /// Ids of pre-existing diseases as they were sent.
    pub selected_peds: Vec<String>,
    /// What kind of cover.
    pub plan: PlanType,
    /// Sum insured, never zero.
    pub sum_insured: Rupees,
    /// Deductible, never zero; `None` where none was asked for.
    pub deductible: Option<Rupees>,
    /// Present when the customer brings a policy along.
    pub porting: Option<Porting>,
    /// Whom it is attributed to.
    pub attribution: Attribution,
    /// Since when these people are covered without a break, where their policy is renewed: limits for new members do not hold.
    pub covered_since: Option<Date>,
}

impl std::fmt::Debug for HealthRequest {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "HealthRequest({}, …)", self.plan)
    }
}

/// A premium for so many years.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TenurePrice {
    pub years: u8,
    /// For all of them together.
    pub premium: Premium,
}

/// What a variant offers a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthOffer {
    /// Deductible in a year; zero where there is none.
    pub deductible: Rupees,
    /// Part of every claim that the customer bears, in percent; 0 where none.
    pub copay_percent: u8,
    /// At least one, shortest first, each number of years once.
    pub tenures: Vec<TenurePrice>,
}

/// Why a variant offers a family nothing, in facts. Its `Display` is a sentence for a person. Such a variant counts as
/// completed and is left out of the recommendations (D17).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotOffered {
    /// An adult's age is outside the limits, in completed years.
    Age {
        /// Youngest.
        least: u16,
        /// Oldest.
        most: u16,
    },
    /// A child's age is outside the limits, in completed years.
    ChildAge {
        /// Youngest.
        least: u16,
        /// Oldest that counts as a child.
        most: u16,
    },
    /// A child is younger than a least age that is not in whole years, or older than children are.
    ChildAgeFrom {
        /// Youngest.
        least: LeastAge,
        /// Oldest that counts as a child, in completed years.
        most: u16,
    },
    /// The family has more or fewer adults or children than the variant covers.
    Family,
    /// The variant does not cover such a relation.
    Relation(Relation),
    /// It is not sold where the customer lives.
    Zone,
    /// It does not have this sum insured.
    SumInsured,
    /// It does not have this deductible.
    Deductible,
    /// It is not sold to people with one of the illnesses named.
    Illness,
    /// The amounts go beyond what can be counted.
    TooLarge,
    /// The insurer refused, in its own words.
    InsurerRefused(String),
    /// The insurer could not be asked, or answered wrongly.
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

/// What came of asking one variant.
pub type Outcome = Result<HealthOffer, NotOffered>;

/// A part of the work list: variants that are priced together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The insurer that prices them itself; `None` for those priced here from rate tables.
    pub insurer: Option<InsurerId>,
    /// The variants, at least one.
    pub variants: Vec<VariantId>,
    /// One outcome for each variant once they are known, all at once.
    pub outcomes: Option<Vec<Outcome>>,
}

vocabulary! {
    /// Where a recommendation job stands (interface, States; D17).
    JobStatus, "one of pending, success" {
        /// Some variants are not finished.
        Pending = "pending",
        /// All are.
        Success = "success",
    }
}

/// A health quote: the record of a recommendation job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthQuote {
    pub id: QuoteId,
    /// Whose it is.
    pub partner: PartnerId,
    /// When it was asked for: the day of its prices.
    pub created_at: Timestamp,
    /// What was asked.
    pub request: HealthRequest,
    /// The catalogue version that its variants are of.
    pub catalogue: CatalogueHash,
    /// The work list. A variant's index is counted through all asks.
    pub asks: Vec<Ask>,
    /// Places of the variants that offer something, best first (D19). `None` while pending.
    pub ranking: Option<Vec<usize>>,
}

impl HealthQuote {
    /// What it is found by: what the partner's platform knows it by (D16), and how its customer is reached.
    pub fn identifiers(&self) -> Vec<Identifier> {
        let Customer { phone, email, .. } = &self.request.customer;
        let mut all = self.platform_identifiers();
        all.extend(contact_identifiers(phone.as_ref(), email.as_ref()));
        all
    }

    /// What the partner's platform knows it by (D16).
    pub fn platform_identifiers(&self) -> Vec<Identifier> {
        let HealthRequest { lead, user, .. } = &self.request;
        let named = |kind, id: &Option<PlatformId>| id.as_ref().map(|id| Identifier::of(kind, id.reveal()));
        named(IdentifierKind::Lead, lead).into_iter().chain(named(IdentifierKind::User, user)).collect()
    }

    /// Where the job stands.
    pub const fn status(&self) -> JobStatus {
        if self.ranking.is_some() { JobStatus::Success } else { JobStatus::Pending }
    }

    /// How many variants are asked.
    pub fn total_variants(&self) -> usize {
        self.asks.iter().map(|ask| ask.variants.len()).sum()
    }

    /// How many are finished, those that offer nothing included.
    pub fn completed_variants(&self) -> usize {
        self.asks.iter().filter(|ask| ask.outcomes.is_some()).map(|ask| ask.variants.len()).sum()
    }

    /// Whether days of birth give the ages that it was made for, on the day it was made, member by member.
    pub fn has_ages_of(&self, born: impl ExactSizeIterator<Item = BirthDate>) -> bool {
        let on = day_of(self.created_at);
        let members = &self.request.members;
        members.len() == born.len()
            && members
                .iter()
                .zip(born)
                .all(|(asked, born)| i32::from(born.age_on(on)) == i32::from(asked.age.completed_years()))
    }

    /// The last day in Asia/Kolkata on which it can become a proposal, when it is valid for so many days (D40).
    pub fn last_day(&self, days: u16) -> Date {
        day_of(self.created_at).saturating_add(i64::from(days).days())
    }

    /// Every variant in the order of indexes, with what came of it as far as known.
    pub fn variants(&self) -> impl Iterator<Item = (VariantId, Option<&Outcome>)> {
        self.asks.iter().flat_map(|ask| {
            ask.variants
                .iter()
                .enumerate()
                .map(|(at, variant)| (*variant, ask.outcomes.as_ref().and_then(|outcomes| outcomes.get(at))))
        })
    }

    /// The offer of the variant at an index. `None`: it offers nothing, or is not finished.
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

    /// The variants that offer something so far, with their indexes: best first once ranked, else by index (D42).
    pub fn offers(&self) -> impl Iterator<Item = (usize, VariantId, &HealthOffer)> {
        let ranking = self.ranking.as_deref();
        let count = ranking.map_or_else(|| self.total_variants(), <[usize]>::len);
        (0..count).filter_map(move |place| self.offer(ranking.map_or(place, |ranking| ranking[place])))
    }

    /// The offer that is recommended: the best, once all are known (D19).
    pub fn recommended(&self) -> Option<(usize, VariantId, &HealthOffer)> {
        self.ranking.as_ref()?.iter().find_map(|index| self.offer(*index))
    }

    /// The deductible used: the one asked for, else that of the recommended variant, else none (D51).
    pub fn deductible_used(&self) -> Rupees {
        let recommended = || self.recommended().map(|(_, _, offer)| offer.deductible);
        self.request.deductible.or_else(recommended).unwrap_or(Rupees::ZERO)
    }

    /// The recommended variant's co-pay in percent, 0 where it has none or nothing is recommended (D51).
    pub fn copay_percent(&self) -> u8 {
        self.recommended().map_or(0, |(_, _, offer)| offer.copay_percent)
    }

    /// The id of the whole recommendation: the quote's own with one counted on, so that it need not be kept.
    pub fn recommendation_id(&self) -> RecommendationId {
        counted_on(self.id, 1)
    }

    /// The id of one variant's item, by its index, likewise.
    pub fn item_id(&self, index: usize) -> RecommendationId {
        counted_on(self.id, index as u32 + 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_below_a_year_has_days_and_whole_years_are_completed_ones() {
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
