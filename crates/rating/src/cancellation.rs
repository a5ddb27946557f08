//! Cancellation: what of a premium comes back when a policy ends early, by rules of the catalogue (D68).

use std::fmt;
use std::sync::Arc;

use domain::cancellation::CancellationReason;
use domain::date::{Date, completed_months, days_later, in_words};
use domain::money::{Premium, Rupees};
use rust_decimal::Decimal;

use crate::explanation::{Step, StepKind};
use crate::source_location::SourceLocation;
use crate::within::Within;

/// The rules by which policies of a class of cover are cancelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancellationRules {
    /// What products name them by.
    pub id: String,
    /// Days after the request within which the insurer pays the refund.
    pub refund_within_days: u16,
    /// Interest on a refund that is paid later, in hundredths of a percent for a year.
    pub late_interest: u32,
    /// What comes back for each reason. A reason without a rule is none for these products.
    pub(crate) reasons: Vec<ReasonRule>,
    /// Until when tax comes back, oldest first. Empty: it never does.
    pub(crate) credit_notes: Arc<[CreditNotes]>,
}

/// What comes back for a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReasonRule {
    pub(crate) reason: CancellationReason,
    pub(crate) returns: Returns,
    /// How long it may be given, and counted from when.
    pub(crate) within: Option<(Within, CountedFrom)>,
    /// What comes back once a claim was made; `None` where it may then not be cancelled for this reason.
    pub(crate) after_claim: Option<Returns>,
    /// Whether the insurer alone may give this reason.
    pub(crate) insurer_alone: bool,
    /// Whether a policy that renews another one is not cancelled for it.
    pub(crate) not_on_renewals: bool,
    /// What is taken off, each by its name.
    pub(crate) deductions: Vec<(String, Rupees)>,
    /// Where the rule comes from.
    pub(crate) source: String,
    pub(crate) location: SourceLocation,
}

domain::text::vocabulary! {
    /// From when days are counted.
    CountedFrom, "\"receipt\" or \"issue\"" {
        /// When the customer received the document.
        Receipt = "receipt",
        /// When the policy was issued; one that renews others, when the first of them began.
        Issue = "issue",
    }
}

/// How much of the premium without its tax comes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Returns {
    /// All of it.
    All,
    /// All of it but the part of the days that were covered.
    AllLessRisk,
    /// The part of the days that are not covered any more.
    Unexpired,
    /// The part of whole years of cover that have not begun.
    YearsNotBegun,
    /// A part by a table, of the days that are left and the cover that is left.
    Surrender(Vec<SurrenderRow>),
    Nothing,
}

/// A row of a surrender table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SurrenderRow {
    /// From how many completed months of cover on it holds.
    pub(crate) from_month: u32,
    pub(crate) percent: Decimal,
    pub(crate) line: usize,
}

/// Until when an insurer may still give the tax of a year's premiums back: a day of the next financial year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CreditNotes {
    /// The day from which this row holds.
    pub(crate) from: Date,
    pub(crate) month: i8,
    pub(crate) day: i8,
    pub(crate) location: SourceLocation,
}

/// A policy at its early end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// What it costs as it is now.
    pub premium: Premium,
    /// All that was paid for it, less what came back before.
    pub retained: Premium,
    /// The day of issue.
    pub issued: Date,
    /// First day of cover.
    pub starts: Date,
    /// Last day of cover.
    pub ends: Date,
    /// The last day that is still covered: the day on which the cancellation is asked for.
    pub on: Date,
    /// The day on which the customer received the document.
    pub received: Date,
    /// Whether a claim was made.
    pub has_claim: bool,
    /// Cover at the start, and on that day.
    pub cover: (Rupees, Rupees),
    /// Whether the insurer gives the reason.
    pub by_insurer: bool,
    /// The first day of the first policy of those that follow each other. `None` where it renews none.
    pub covered_since: Option<Date>,
}

/// What comes back, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    /// The part of the premium.
    pub refund: Premium,
    /// The day by which the insurer is to have paid it.
    pub due_on: Date,
    /// Interest rate if the insurer pays after [`Refund::due_on`]: hundredths of a percent a year.
    pub late_interest: u32,
    /// The steps to it, in order.
    pub steps: Vec<Step>,
    /// Where the rule comes from.
    pub source: String,
}

/// Why a policy is not cancelled for a reason. Its `Display` is a sentence for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotCancellable {
    /// These products have no rule for it.
    NoRule(CancellationReason),
    /// The insurer alone gives this reason.
    InsurerAlone(CancellationReason),
    /// Its days are over.
    TooLate(CancellationReason, Date),
    ClaimMade(CancellationReason),
    /// It renews another policy.
    Renewal(CancellationReason),
}

impl NotCancellable {
    /// One word for it, as charts have it.
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
                write!(to, "Policies of this product are not cancelled for {reason}.")
            }
            NotCancellable::InsurerAlone(reason) => {
                write!(to, "The insurer alone cancels a policy for {reason}.")
            }
            NotCancellable::TooLate(reason, last) => {
                write!(to, "The time for {reason} ended on {}.", in_words(*last))
            }
            NotCancellable::ClaimMade(reason) => {
                write!(to, "A claim was made, so that the policy is not cancelled for {reason}.")
            }
            NotCancellable::Renewal(reason) => {
                write!(to, "A policy that renews another one is not cancelled for {reason}.")
            }
        }
    }
}

impl CancellationRules {
    /// The reasons that somebody else than the insurer may give, in the contract's order; once a claim was made, and of a policy
    /// that renews another one, those that are left then.
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

    /// What comes back when a policy is cancelled for a reason.
    ///
    /// # Errors
    /// Why it is not cancelled for it.
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
        // Where all of it comes back, that is all that was ever paid.
        let premium = if *returns == Returns::All { ending.retained } else { ending.premium };
        let ending = &Ending { premium, ..ending.clone() };
        let mut steps = Vec::new();
        let base = rule.base(returns, ending, &mut steps);
        let gst = tax_back(&self.credit_notes, base, ending.premium, ending, &mut steps);
        // Neither is more than what was paid.
        let refund = Premium::of_parts(base, gst).unwrap_or(ending.premium);
        let due_on = days_later(ending.on, self.refund_within_days).unwrap_or(Date::MAX);
        Ok(Refund { refund, due_on, late_interest: self.late_interest, steps, source: rule.source.clone() })
    }
}

/// What of the tax comes back with a part of the base, while the insurer may still give it back: as much as a sale at that base
/// would have. `charged` is the premium by which the tax was charged.
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
    let part = rate_of(charged) * base.to_decimal();
    let back = match last {
        Some(last) if ending.on <= last => Rupees::nearest(part).unwrap_or(gst).min(gst),
        _ => Rupees::ZERO,
    };
    let words = match (back, last) {
        (Rupees::ZERO, Some(last)) => {
            format!("No tax comes back: the insurer could give it back until {}", in_words(last))
        }
        (Rupees::ZERO, None) => "No tax comes back".to_owned(),
        _ => format!("Tax at the rate that was charged, {gst} on {whole}"),
    };
    steps.push(Step {
        kind: StepKind::Described(words),
        location: row.map(|row| row.location.clone()),
        factor: String::new(),
        amount: (base + back).to_decimal(),
    });
    back
}

/// The rate at which tax was charged: one of at most three decimals, if that gives the very amount of the sale.
fn rate_of(charged: Premium) -> Decimal {
    let exact = charged.gst().to_decimal() / charged.base().to_decimal();
    let rate = exact.round_dp(3);
    let is_of_sale = Rupees::nearest(rate * charged.base().to_decimal()) == Some(charged.gst());
    if is_of_sale { rate } else { exact }
}

impl CreditNotes {
    /// The last day on which the tax of a premium can be given back that was charged on a day: in the financial year
    /// after the one of that day, which begins on 1 April.
    fn last_day(&self, charged: Date) -> Option<Date> {
        let year_ends = charged.year() + i16::from(charged.month() >= 4);
        let year = if self.month >= 4 { year_ends } else { year_ends + 1 };
        Date::new(year, self.month, self.day).ok()
    }
}

impl ReasonRule {
    /// The last day on which the reason may be given, where its time is limited.
    fn last_day(&self, ending: &Ending) -> Option<Date> {
        let (within, from) = self.within?;
        let from = match from {
            CountedFrom::Receipt => ending.received,
            CountedFrom::Issue => ending.covered_since.unwrap_or(ending.issued),
        };
        Some(within.last_day(from))
    }

    /// What of the premium without tax comes back.
    fn base(&self, returns: &Returns, ending: &Ending, steps: &mut Vec<Step>) -> Rupees {
        returns.base(ending, &self.location, &self.deductions, steps)
    }
}

impl Returns {
    /// What of the premium without tax comes back, less deductions. `rule` is where the catalogue says so.
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
            Returns::All => step("All of it comes back".into(), here(), String::new(), amount),
            Returns::Nothing => {
                amount = Decimal::ZERO;
                step("Nothing comes back".into(), here(), String::new(), amount);
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
                    let words = format!("The cover is {} of {} on this day", now.grouped(), first.grouped());
                    step(words, here(), format!("{now}/{first}"), amount);
                }
            }
        }
        for (name, deduction) in deductions {
            amount = (amount - deduction.to_decimal()).max(Decimal::ZERO);
            step(format!("Less {name}"), here(), format!("- {deduction}"), amount);
        }
        let back = Rupees::nearest(amount).unwrap_or(whole).min(whole);
        step("To the paisa".into(), None, String::new(), back.to_decimal());
        back
    }
}

impl Ending {
    /// Days that are left after the last covered one, and all days of cover.
    fn days(&self) -> (i64, i64) {
        let days = |from: Date, to: Date| i64::from((to - from).get_days());
        let all = days(self.starts, self.ends) + 1;
        let left = if self.on < self.starts { all } else { days(self.on, self.ends) };
        (left.clamp(0, all), all)
    }

    /// Years of cover that have not begun on the last covered day, and all of them, a part of a year counted as a year.
    fn years(&self) -> (i64, i64) {
        let begun = |on: Date| {
            let months = completed_months(self.starts, on);
            i64::from(months / 12) + 1
        };
        let all = begun(self.ends);
        let not_begun = if self.on < self.starts { all } else { all - begun(self.on) };
        (not_begun.clamp(0, all), all)
    }

    /// Completed months of cover.
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
    fn tax_comes_back_as_a_sale_at_that_base_has_it() {
        // 18 % of 1,000.03 is 180.01, of the 642.46 that stay 115.64; of the 357.57 that come back 64.36, and not 64.37.
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
    fn tax_can_be_given_back_until_a_day_of_the_next_financial_year() {
        let location = SourceLocation { file: "cancellation.toml".into(), line: 1 };
        let row =
            |month, day| CreditNotes { from: date(2022, 10, 1), month, day, location: location.clone() };
        assert_eq!(row(11, 30).last_day(date(2026, 11, 20)), Some(date(2027, 11, 30)));
        assert_eq!(row(11, 30).last_day(date(2027, 3, 31)), Some(date(2027, 11, 30)));
        assert_eq!(row(11, 30).last_day(date(2027, 4, 1)), Some(date(2028, 11, 30)));
        assert_eq!(row(3, 31).last_day(date(2026, 11, 20)), Some(date(2028, 3, 31)));
    }
}
