//! Refunds of policies that are cancelled, by rules of the catalogue (D68).

use std::fmt;
use std::sync::Arc;

use domain::cancellation::CancellationReason;
use domain::date::{Date, completed_months, days_later, in_words};
use domain::money::{Premium, Rupees};
use rust_decimal::Decimal;

use crate::dated_rates::LateInterest;
use crate::explanation::{Step, StepKind};
use crate::source_location::SourceLocation;
use crate::within::Within;

/// Cancellation rules for the policies of a class of cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancellationRules {
    /// Id by which products name these rules.
    pub id: String,
    /// Days after the cancellation request within which the insurer must pay the refund.
    pub refund_within_days: u16,
    /// Interest on a late refund, by the day of the request.
    pub late_interest: LateInterest,
    /// One rule for each allowed reason. A reason without a rule is refused.
    pub(crate) reasons: Vec<ReasonRule>,
    /// Last days on which tax can be refunded, oldest row first. Empty: tax is never refunded.
    pub(crate) credit_notes: Arc<[CreditNotes]>,
}

/// Refund rule for one cancellation reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReasonRule {
    pub(crate) reason: CancellationReason,
    pub(crate) returns: Returns,
    /// Period in which a policy can be cancelled for this reason, and the day from which the period counts.
    /// `None`: at any time.
    pub(crate) within: Option<(Within, CountedFrom)>,
    /// Part that is refunded after a claim. `None`: this reason is refused after a claim.
    pub(crate) after_claim: Option<Returns>,
    /// Whether only the insurer may cancel for this reason.
    pub(crate) insurer_alone: bool,
    /// Whether this reason is refused for renewals.
    pub(crate) not_on_renewals: bool,
    /// Deductions from the refund: name and amount of each.
    pub(crate) deductions: Vec<(String, Rupees)>,
    /// Legal source of the rule, as text.
    pub(crate) source: String,
    pub(crate) location: SourceLocation,
}

domain::text::vocabulary! {
    /// Day from which a period for cancellation counts.
    CountedFrom, "\"receipt\" or \"issue\"" {
        /// Day on which the customer received the policy document.
        Receipt = "receipt",
        /// Day of issue. For a renewal: day from which the first policy in the chain covers.
        Issue = "issue",
    }
}

/// Part of the premium without tax that is refunded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Returns {
    /// The whole premium.
    All,
    /// The whole premium, less the share for the days that were covered.
    AllLessRisk,
    /// The premium's share for the days of cover that are left.
    Unexpired,
    /// The premium's share for the policy years that have not begun.
    YearsNotBegun,
    /// A percentage from a surrender table, reduced to the share of the days that are left and of the cover
    /// that is left.
    Surrender(Vec<SurrenderRow>),
    Nothing,
}

/// Row of a surrender table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SurrenderRow {
    /// Completed months of cover from which the row applies.
    pub(crate) from_month: u32,
    pub(crate) percent: Decimal,
    pub(crate) line: usize,
}

/// Last day on which tax can be refunded by a credit note. It is in the financial year after the financial
/// year of the sale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CreditNotes {
    /// First day on which this row applies.
    pub(crate) from: Date,
    pub(crate) month: i8,
    pub(crate) day: i8,
    pub(crate) location: SourceLocation,
}

/// A policy that is to be cancelled, with the facts that decide its refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Present premium of the policy.
    pub premium: Premium,
    /// Everything that was paid for the policy, less earlier refunds.
    pub retained: Premium,
    pub issued: Date,
    /// First day of cover.
    pub starts: Date,
    /// Last day of cover.
    pub ends: Date,
    /// Last covered day, which is the day of the cancellation request.
    pub on: Date,
    /// Day on which the customer received the policy document.
    pub received: Date,
    pub has_claim: bool,
    /// Cover amount at the start, and on the day of the cancellation.
    pub cover: (Rupees, Rupees),
    /// Whether the insurer cancels the policy.
    pub by_insurer: bool,
    /// For a renewal: first day of the first policy in the chain. `None`: the policy is not a renewal.
    pub covered_since: Option<Date>,
}

/// Refund of a policy, with its calculation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    /// Refunded part of the premium, with its tax.
    pub refund: Premium,
    /// Last day on which the insurer can pay the refund without interest.
    pub due_on: Date,
    /// Interest rate if the insurer pays after [`Refund::due_on`]: hundredths of a percent a year.
    pub late_interest: u32,
    /// Steps of the calculation, in order.
    pub steps: Vec<Step>,
    /// Legal source of the rule, as text.
    pub source: String,
}

/// Why a policy cannot be cancelled for a reason. `Display` prints a sentence for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotCancellable {
    /// The product has no rule for this cancellation reason.
    NoRule(CancellationReason),
    /// Only the insurer may cancel for this reason.
    InsurerAlone(CancellationReason),
    /// The period for this cancellation reason ended on this day.
    TooLate(CancellationReason, Date),
    ClaimMade(CancellationReason),
    /// The policy is a renewal, and renewals cannot be cancelled for this reason.
    Renewal(CancellationReason),
}

impl NotCancellable {
    /// Word for this refusal in the column `refused` of charts.
    pub const fn word(self) -> &'static str {
        match self {
            NotCancellable::NoRule(_) => "no-rule",
            NotCancellable::InsurerAlone(_) => "insurer-alone",
            NotCancellable::TooLate(..) => "too-late",
            NotCancellable::ClaimMade(_) => "claim-made",
            NotCancellable::Renewal(_) => "renewal",
        }
    }
}

impl fmt::Display for NotCancellable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotCancellable::NoRule(reason) => {
                write!(to, "Policies of this product cannot be cancelled for {reason}.")
            }
            NotCancellable::InsurerAlone(reason) => {
                write!(to, "Only the insurer can cancel a policy for {reason}.")
            }
            NotCancellable::TooLate(reason, last) => {
                write!(to, "The time to cancel for {reason} ended on {}.", in_words(*last))
            }
            NotCancellable::ClaimMade(reason) => {
                write!(to, "The policy cannot be cancelled for {reason}, because a claim was made.")
            }
            NotCancellable::Renewal(reason) => {
                write!(to, "A policy that renews another one cannot be cancelled for {reason}.")
            }
        }
    }
}

impl CancellationRules {
    /// Last day on which the tax of a sale on the day `sold` can be taken back, by the law of the day `on`.
    pub fn tax_back_until(&self, sold: Date, on: Date) -> Option<Date> {
        self.credit_notes.iter().rev().find(|row| row.from <= on)?.last_day(sold)
    }

    /// Reasons for which customers and partners can cancel, in the contract's order. Leaves out reasons that
    /// are refused after a claim or for renewals, if that applies.
    pub fn reasons(
        &self,
        has_claim: bool,
        is_renewal: bool,
    ) -> impl Iterator<Item = CancellationReason> + '_ {
        let is_left = move |rule: &&ReasonRule| {
            (!has_claim || rule.after_claim.is_some()) && !(is_renewal && rule.not_on_renewals)
        };
        let open = move |rule: &&ReasonRule| !rule.insurer_alone && is_left(rule);
        self.reasons.iter().filter(open).map(|rule| rule.reason)
    }

    /// Calculates the refund for a cancellation with this reason.
    ///
    /// # Errors
    /// [`NotCancellable`] with the cause, if the policy cannot be cancelled for this reason.
    pub fn refund(&self, reason: CancellationReason, ending: &Ending) -> Result<Refund, NotCancellable> {
        let rule = self.reasons.iter().find(|rule| rule.reason == reason);
        let rule = rule.ok_or(NotCancellable::NoRule(reason))?;
        if rule.insurer_alone && !ending.by_insurer {
            return Err(NotCancellable::InsurerAlone(reason));
        }
        if rule.not_on_renewals && ending.covered_since.is_some() {
            return Err(NotCancellable::Renewal(reason));
        }
        if let Some(last) = rule.last_day(ending).filter(|last| ending.on > *last) {
            return Err(NotCancellable::TooLate(reason, last));
        }
        let returns = match (ending.has_claim, &rule.after_claim) {
            (false, _) => &rule.returns,
            (true, Some(returns)) => returns,
            (true, None) => return Err(NotCancellable::ClaimMade(reason)),
        };
        // A full refund returns everything that was ever paid, not only the present premium.
        let premium = if *returns == Returns::All { ending.retained } else { ending.premium };
        let ending = &Ending { premium, ..ending.clone() };
        let mut steps = Vec::new();
        let base = rule.base(returns, ending, &mut steps);
        let gst = tax_back(&self.credit_notes, base, ending.premium, ending, &mut steps);
        // Neither part exceeds what was paid, so the sum stays in range.
        let refund = Premium::of_parts(base, gst).unwrap_or(ending.premium);
        let due_on = days_later(ending.on, self.refund_within_days).unwrap_or(Date::MAX);
        Ok(Refund {
            refund,
            due_on,
            late_interest: self.late_interest.on(ending.on),
            steps,
            source: rule.source.clone(),
        })
    }
}

/// Tax refund for `base`, the refunded part of the premium without tax. It is the tax that a sale for `base`
/// would have. Zero after the last day for tax refunds. `charged` is the premium on which the tax was
/// charged.
pub(crate) fn tax_back(
    credit_notes: &[CreditNotes],
    base: Rupees,
    charged: Premium,
    ending: &Ending,
    steps: &mut Vec<Step>,
) -> Rupees {
    let (whole, gst) = (charged.base(), charged.gst());
    if gst == Rupees::ZERO || base == Rupees::ZERO {
        return Rupees::ZERO;
    }
    let row = credit_notes.iter().rev().find(|row| row.from <= ending.on);
    let last = row.and_then(|row| row.last_day(ending.issued));
    let rate = rate_of(charged);
    let part = rate * base.to_decimal();
    let back = match last {
        Some(last) if ending.on <= last => Rupees::nearest(part).unwrap_or(gst).min(gst),
        _ => Rupees::ZERO,
    };
    let words = match (back, last) {
        (Rupees::ZERO, Some(last)) => {
            format!("No tax is refunded: the insurer could refund it until {}", in_words(last))
        }
        (Rupees::ZERO, None) => "No tax is refunded".to_owned(),
        _ if rate.scale() <= 3 => {
            let percent = (rate * Decimal::ONE_HUNDRED).normalize();
            format!("Tax at the charged rate of {percent} %")
        }
        _ => format!("Tax at the charged rate, {gst} on {whole}"),
    };
    steps.push(Step {
        kind: StepKind::Described(words),
        location: row.map(|row| row.location.clone()),
        factor: String::new(),
        amount: (base + back).to_decimal(),
    });
    back
}

/// Tax rate of a premium: rounded to three decimals if that gives the charged tax, otherwise exact.
fn rate_of(charged: Premium) -> Decimal {
    let exact = charged.gst().to_decimal() / charged.base().to_decimal();
    let rate = exact.round_dp(3);
    let is_of_sale = Rupees::nearest(rate * charged.base().to_decimal()) == Some(charged.gst());
    if is_of_sale { rate } else { exact }
}

impl CreditNotes {
    /// Last day on which the tax of a sale on the day `charged` can be refunded. It is in the next financial
    /// year (a financial year begins on 1 April).
    fn last_day(&self, charged: Date) -> Option<Date> {
        let year_ends = charged.year() + i16::from(charged.month() >= 4);
        let year = if self.month >= 4 { year_ends } else { year_ends + 1 };
        Date::new(year, self.month, self.day).ok()
    }
}

impl ReasonRule {
    /// Last day on which a policy can be cancelled for this reason. `None`: no limit.
    fn last_day(&self, ending: &Ending) -> Option<Date> {
        let (within, from) = self.within?;
        let from = match from {
            CountedFrom::Receipt => ending.received,
            CountedFrom::Issue => ending.covered_since.unwrap_or(ending.issued),
        };
        Some(within.last_day(from))
    }

    /// Refund of the premium without tax.
    fn base(&self, returns: &Returns, ending: &Ending, steps: &mut Vec<Step>) -> Rupees {
        returns.base(ending, &self.location, &self.deductions, steps)
    }
}

impl Returns {
    /// Refund of the premium without tax, after deductions. `rule` is the place of the rule in the catalogue.
    pub(crate) fn base(
        &self,
        ending: &Ending,
        rule: &SourceLocation,
        deductions: &[(String, Rupees)],
        steps: &mut Vec<Step>,
    ) -> Rupees {
        let whole = ending.premium.base();
        let mut amount = whole.to_decimal();
        let mut step = |words: String, location: Option<SourceLocation>, factor: String, amount: Decimal| {
            steps.push(Step { kind: StepKind::Described(words), location, factor, amount });
        };
        let here = || Some(rule.clone());
        step("Premium without tax".into(), None, String::new(), amount);
        let (left, all) = ending.days();
        let part = |left: i64, all: i64| Decimal::from(left) / Decimal::from(all.max(1));
        match self {
            Returns::All => step("All of the premium is refunded".into(), here(), String::new(), amount),
            Returns::Nothing => {
                amount = Decimal::ZERO;
                step("Nothing is refunded".into(), here(), String::new(), amount);
            }
            Returns::AllLessRisk => {
                let covered = all - left;
                amount -= amount * part(covered, all);
                step(
                    format!("Less {covered} of {all} days that were covered"),
                    here(),
                    format!("{left}/{all}"),
                    amount,
                );
            }
            Returns::Unexpired => {
                amount *= part(left, all);
                step(format!("{left} of {all} days are left"), here(), format!("{left}/{all}"), amount);
            }
            Returns::YearsNotBegun => {
                let (not_begun, years) = ending.years();
                amount *= part(not_begun, years);
                let words = format!("{not_begun} of {years} years have not begun");
                step(words, here(), format!("{not_begun}/{years}"), amount);
            }
            Returns::Surrender(rows) => {
                let months = ending.completed_months();
                let row = rows.iter().rev().find(|row| row.from_month <= months);
                let percent = row.map_or(Decimal::ZERO, |row| row.percent);
                amount *= percent / Decimal::ONE_HUNDRED;
                let location = row
                    .map_or(rule.clone(), |row| SourceLocation { file: rule.file.clone(), line: row.line });
                let words = format!("Surrender factor after {months} months of cover");
                step(words, Some(location), format!("{percent} %"), amount);
                amount *= part(left, all);
                step(format!("{left} of {all} days are left"), here(), format!("{left}/{all}"), amount);
                let (first, now) = ending.cover;
                if now < first {
                    amount *= part(now.paise(), first.paise());
                    let words = format!(
                        "The cover on this day is {} of the original {}",
                        now.grouped(),
                        first.grouped()
                    );
                    step(words, here(), format!("{now}/{first}"), amount);
                }
            }
        }
        for (name, deduction) in deductions {
            amount = (amount - deduction.to_decimal()).max(Decimal::ZERO);
            step(format!("Less {name}"), here(), format!("- {deduction}"), amount);
        }
        let back = Rupees::nearest(amount).unwrap_or(whole).min(whole);
        step("Rounded to the paisa".into(), None, String::new(), back.to_decimal());
        back
    }
}

impl Ending {
    /// Number of days after the last covered day, and number of all days of the policy.
    fn days(&self) -> (i64, i64) {
        let days = |from: Date, to: Date| i64::from((to - from).get_days());
        let all = days(self.starts, self.ends) + 1;
        let left = if self.on < self.starts { all } else { days(self.on, self.ends) };
        (left.clamp(0, all), all)
    }

    /// Number of policy years that have not begun by the last covered day, and number of all policy years. A
    /// part of a year counts as a year.
    fn years(&self) -> (i64, i64) {
        let begun = |on: Date| {
            let months = completed_months(self.starts, on);
            i64::from(months / 12) + 1
        };
        let all = begun(self.ends);
        let not_begun = if self.on < self.starts { all } else { all - begun(self.on) };
        (not_begun.clamp(0, all), all)
    }

    fn completed_months(&self) -> u32 {
        completed_months(self.starts, self.on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn date(year: i16, month: i8, day: i8) -> Date {
        Date::constant(year, month, day)
    }

    #[test]
    fn the_refunded_tax_is_the_tax_of_a_sale_at_the_refunded_base() {
        // 18 % of 1,000.03 is 180.01, and of the remaining 642.46 it is 115.64. The refund of 357.57 has the
        // tax 64.36, not 64.37.
        let premium = |base, gst| {
            Premium::of_parts(Rupees::from_paise(base), Rupees::from_paise(gst)).expect("in range")
        };
        let (charged, back) = (premium(100_003, 18_001), Rupees::from_paise(35_757));
        let location = SourceLocation { file: "cancellation.toml".into(), line: 1 };
        let notes = [CreditNotes { from: date(2022, 10, 1), month: 11, day: 30, location }];
        let ending = Ending {
            premium: premium(35_757, 6_437),
            retained: premium(35_757, 6_437),
            issued: date(2026, 11, 20),
            starts: date(2026, 11, 20),
            ends: date(2028, 11, 19),
            on: date(2026, 12, 1),
            received: date(2026, 11, 20),
            has_claim: false,
            cover: (Rupees::whole(500_000), Rupees::whole(500_000)),
            by_insurer: false,
            covered_since: None,
        };
        assert_eq!(tax_back(&notes, back, charged, &ending, &mut Vec::new()), Rupees::from_paise(6_436));
    }

    #[test]
    fn tax_can_be_refunded_until_a_given_day_of_the_next_financial_year() {
        let location = SourceLocation { file: "cancellation.toml".into(), line: 1 };
        let row =
            |month, day| CreditNotes { from: date(2022, 10, 1), month, day, location: location.clone() };
        assert_eq!(row(11, 30).last_day(date(2026, 11, 20)), Some(date(2027, 11, 30)));
        assert_eq!(row(11, 30).last_day(date(2027, 3, 31)), Some(date(2027, 11, 30)));
        assert_eq!(row(11, 30).last_day(date(2027, 4, 1)), Some(date(2028, 11, 30)));
        assert_eq!(row(3, 31).last_day(date(2026, 11, 20)), Some(date(2028, 3, 31)));
    }
}
