//! The sections of words that each language must have, by the pages that show them.

use domain::date::Date;
use domain::health_quote::NotOffered;
use domain::operator::OperatorKind;
use domain::ranking::Reason;
use rust_decimal::Decimal;

/// Who sells the insurance, as the words of the frame name it.
pub(crate) struct Seller<'o> {
    pub(crate) name: &'o str,
    pub(crate) kind: OperatorKind,
    pub(crate) licence_number: &'o str,
    pub(crate) licence_until: String,
}

/// Numbers, amounts, periods and days.
pub(crate) struct FormatWords {
    /// Digits from 0 to 9 as keyboards of the language type them.
    pub(crate) digits: [char; 10],
    /// The sign at the end of a sentence.
    pub(crate) full_stop: char,
    /// A period of whole years.
    pub(crate) years: fn(years: u8) -> String,
    /// A day with the month's name, such as `20 November 2026`.
    pub(crate) day: fn(day: Date) -> String,
    /// Rupees in units of 100,000.
    pub(crate) lakh: fn(number: &str) -> String,
    /// Rupees in units of 10,000,000.
    pub(crate) crore: fn(number: &str) -> String,
    pub(crate) percent: fn(number: Decimal) -> String,
}

/// The frame of every page.
pub(crate) struct FrameWords {
    pub(crate) health_insurance: &'static str,
    pub(crate) through: fn(partner: &str) -> String,
    pub(crate) skip_to_content: &'static str,
    pub(crate) step_of: fn(step: usize, of: usize) -> String,
    pub(crate) go_on: &'static str,
    pub(crate) go_back: &'static str,
    pub(crate) change: &'static str,
    pub(crate) back_to: fn(partner: &str) -> String,
    pub(crate) loads_nothing: &'static str,
    pub(crate) sold_by: fn(seller: &Seller<'_>) -> String,
    pub(crate) complaints_to: fn(officer: &str) -> String,
    pub(crate) privacy_notice: &'static str,
    pub(crate) terms: &'static str,
}

/// What forms of several pages have in common.
pub(crate) struct FormWords {
    pub(crate) choose_one: &'static str,
    pub(crate) optional: fn(label: &str) -> String,
    pub(crate) errors_heading: &'static str,
    pub(crate) yes: &'static str,
    pub(crate) no: &'static str,
}

/// What people are called: members of the family, nominees, genders.
pub(crate) struct PeopleWords {
    pub(crate) you: &'static str,
    pub(crate) spouse: &'static str,
    pub(crate) father: &'static str,
    pub(crate) mother: &'static str,
    pub(crate) daughter: &'static str,
    pub(crate) son: &'static str,
    pub(crate) person_of_age: fn(person: &str, age: u16) -> String,
    pub(crate) baby: fn(person: &str) -> String,
    pub(crate) female: &'static str,
    pub(crate) male: &'static str,
    pub(crate) another_gender: &'static str,
    pub(crate) nominee_spouse: &'static str,
    pub(crate) nominee_father: &'static str,
    pub(crate) nominee_mother: &'static str,
    pub(crate) nominee_son: &'static str,
    pub(crate) nominee_daughter: &'static str,
    pub(crate) nominee_brother: &'static str,
    pub(crate) nominee_sister: &'static str,
    pub(crate) nominee_other: &'static str,
}

/// The page that asks who is to be covered.
pub(crate) struct WhoWords {
    pub(crate) title: &'static str,
    pub(crate) lead: &'static str,
    pub(crate) own_age: &'static str,
    pub(crate) spouses_age: &'static str,
    pub(crate) fathers_age: &'static str,
    pub(crate) mothers_age: &'static str,
    pub(crate) age: &'static str,
    pub(crate) children: &'static str,
    pub(crate) children_hint: &'static str,
    pub(crate) child: fn(number: usize) -> String,
    pub(crate) son_or_daughter: &'static str,
    pub(crate) a_son: &'static str,
    pub(crate) a_daughter: &'static str,
    pub(crate) add_child: &'static str,
    pub(crate) age_wanted: fn(person: &str) -> String,
    pub(crate) adult_age_wanted: fn(person: &str) -> String,
    pub(crate) child_kind_wanted: fn(child: &str) -> String,
    pub(crate) child_age_wanted: fn(child: &str) -> String,
    pub(crate) person_wanted: &'static str,
    pub(crate) parents_older: &'static str,
}

/// The page that asks where the customer lives and about everybody’s health.
pub(crate) struct HomeWords {
    pub(crate) title: &'static str,
    pub(crate) pincode: &'static str,
    pub(crate) pincode_hint: &'static str,
    pub(crate) pincode_wanted: &'static str,
    pub(crate) illness_question: &'static str,
    pub(crate) illness_why: &'static str,
    pub(crate) illness_answer_wanted: &'static str,
    pub(crate) which_illnesses: fn(person: &str) -> String,
    pub(crate) illnesses_wanted: &'static str,
    pub(crate) illness_contradiction: &'static str,
    pub(crate) porting_question: &'static str,
    pub(crate) porting_why: &'static str,
    pub(crate) porting_answer_wanted: &'static str,
    pub(crate) porting_years: &'static str,
    pub(crate) porting_years_wanted: &'static str,
}

/// The page that asks how much is to be covered.
pub(crate) struct CoverWords {
    pub(crate) title: &'static str,
    pub(crate) plan_question: &'static str,
    pub(crate) base: &'static str,
    pub(crate) base_hint: &'static str,
    pub(crate) super_top_up: &'static str,
    pub(crate) super_top_up_hint: &'static str,
    pub(crate) plan_wanted: &'static str,
    pub(crate) sum_question: &'static str,
    pub(crate) sum_hint: &'static str,
    pub(crate) sum_wanted: &'static str,
    pub(crate) sum_usual: &'static str,
    pub(crate) sum_not_with_plan: &'static str,
    pub(crate) deductible_question: &'static str,
    pub(crate) deductible_hint: &'static str,
    pub(crate) deductible_wanted: &'static str,
    pub(crate) deductible_open: &'static str,
    pub(crate) see_plans: &'static str,
    pub(crate) nothing_sold: &'static str,
}

/// The list of plans.
pub(crate) struct PlansWords {
    pub(crate) title: &'static str,
    pub(crate) asked_for: fn(cover: &str, people: &str) -> String,
    pub(crate) at_pincode: fn(pincode: &str) -> String,
    pub(crate) above_deductible: fn(sum: &str, deductible: &str) -> String,
    pub(crate) above_any_deductible: fn(sum: &str) -> String,
    pub(crate) looking: &'static str,
    pub(crate) looked_at: fn(done: usize, of: usize) -> String,
    pub(crate) offered: fn(count: usize, of: usize) -> String,
    pub(crate) none_offered: &'static str,
    pub(crate) show_and_sort: &'static str,
    pub(crate) sort_by: &'static str,
    pub(crate) sort_best: &'static str,
    pub(crate) sort_price: &'static str,
    pub(crate) sort_wait: &'static str,
    pub(crate) sort_claims: &'static str,
    pub(crate) only_with: &'static str,
    pub(crate) apply: &'static str,
    pub(crate) none_of_filter: &'static str,
    pub(crate) how_ranked: &'static str,
    pub(crate) how_ranked_text:
        fn(price: Decimal, claims: Decimal, network: Decimal, waiting: Decimal, copay: Decimal) -> String,
    pub(crate) premium_for: fn(years: &str) -> String,
    pub(crate) compare_this: &'static str,
    pub(crate) compare_named: fn(plan: &str) -> String,
    pub(crate) compare_ticked: &'static str,
    pub(crate) compare_hint: &'static str,
    pub(crate) not_offered_title: fn(count: usize) -> String,
    pub(crate) ask_again: &'static str,
    pub(crate) some_failed: &'static str,
}

/// What an insurer offers, wherever it is shown.
pub(crate) struct OfferWords {
    pub(crate) recommended: &'static str,
    pub(crate) why_recommended: &'static str,
    pub(crate) see_plan: &'static str,
    pub(crate) see_plan_named: fn(plan: &str) -> String,
    pub(crate) sum_insured: &'static str,
    pub(crate) deductible: &'static str,
    pub(crate) waiting: &'static str,
    pub(crate) covered_at_once: &'static str,
    pub(crate) covered_after: fn(months: u16) -> String,
    pub(crate) copay: &'static str,
    pub(crate) no_copay: &'static str,
    pub(crate) copay_later: fn(percent: u8, age: u16) -> String,
    pub(crate) claims_settled: &'static str,
    pub(crate) hospitals: &'static str,
    /// Why a plan offers a family nothing. An insurer's own words stay as they are: they are not ours to translate.
    pub(crate) not_offered: fn(reason: &NotOffered) -> String,
    /// Why a plan has its position in the ranking, as one sentence.
    pub(crate) reason: fn(reason: &Reason) -> String,
}

/// The page that compares plans.
pub(crate) struct CompareWords {
    pub(crate) title: &'static str,
    pub(crate) wanted: &'static str,
    pub(crate) first_three: &'static str,
    pub(crate) all_plans: &'static str,
    pub(crate) what: &'static str,
    pub(crate) remove: &'static str,
    pub(crate) tag_yes: &'static str,
    pub(crate) tag_no: &'static str,
    pub(crate) insurer: &'static str,
    pub(crate) premium: &'static str,
}

/// The page of one plan.
pub(crate) struct PlanWords {
    pub(crate) about_insurer: &'static str,
    pub(crate) choose_years: &'static str,
    pub(crate) choose_for: fn(years: &str, premium: &str) -> String,
    pub(crate) a_year: fn(premium: &str) -> String,
    pub(crate) saves: fn(percent: Decimal) -> String,
    pub(crate) what_is_covered: &'static str,
    pub(crate) what_is_not: &'static str,
    pub(crate) how_price_comes: &'static str,
    pub(crate) price_of_years: fn(years: &str) -> String,
    pub(crate) priced_by_insurer: &'static str,
    pub(crate) step_what: &'static str,
    pub(crate) step_change: &'static str,
    pub(crate) step_amount: &'static str,
    pub(crate) before_you_choose: &'static str,
    pub(crate) free_look: fn(days: u16) -> String,
    pub(crate) claims_to: &'static str,
    pub(crate) information_sheet: &'static str,
    pub(crate) policy_wording: &'static str,
    pub(crate) brochure: &'static str,
    pub(crate) complaints_to: &'static str,
    pub(crate) tenure_chart: &'static str,
    pub(crate) cover_chart: &'static str,
    pub(crate) chart_yours: &'static str,
    pub(crate) uin: fn(number: &str) -> String,
    pub(crate) offline_plan: &'static str,
}

/// The steps in which a price is made.
pub(crate) struct PriceStepsWords {
    pub(crate) rate_eldest: fn(from: u16, to: u16, sum: &str) -> String,
    pub(crate) rate_other: fn(from: u16, to: u16, sum: &str) -> String,
    pub(crate) rate_member: fn(from: u16, to: u16, sum: &str) -> String,
    pub(crate) rate_family: fn(from: u16, to: u16, sum: &str) -> String,
    pub(crate) family_discount: fn(count: usize) -> String,
    pub(crate) loading: &'static str,
    pub(crate) discount: &'static str,
    pub(crate) minimum: &'static str,
    pub(crate) rounding: &'static str,
    pub(crate) illnesses: &'static str,
    pub(crate) tenure: fn(years: &str) -> String,
    pub(crate) tax_added: fn(percent: Decimal, base: &str) -> String,
    pub(crate) tax_within: fn(percent: Decimal, base: &str) -> String,
    pub(crate) no_tax: &'static str,
    pub(crate) exempt: &'static str,
    pub(crate) tax_taken_out: fn(tax: &str) -> String,
    pub(crate) paid_a_year: fn(amount: &str) -> String,
    pub(crate) at_least: fn(amount: &str) -> String,
    pub(crate) to_the_rupee: &'static str,
    pub(crate) to_the_paisa: &'static str,
}

/// The page that asks for names, dates of birth and addresses.
pub(crate) struct DetailsWords {
    pub(crate) title: &'static str,
    pub(crate) lead: fn(plan: &str, premium: &str) -> String,
    pub(crate) about_you: &'static str,
    pub(crate) full_name: &'static str,
    pub(crate) full_name_wanted: fn(person: &str) -> String,
    pub(crate) mobile: &'static str,
    pub(crate) mobile_hint: &'static str,
    pub(crate) mobile_wanted: &'static str,
    pub(crate) email: &'static str,
    pub(crate) email_wanted: &'static str,
    pub(crate) birth_date: &'static str,
    pub(crate) birth_hint: &'static str,
    pub(crate) birth_day: &'static str,
    pub(crate) birth_month: &'static str,
    pub(crate) birth_year: &'static str,
    pub(crate) birth_wanted: fn(person: &str) -> String,
    pub(crate) born_too_long_ago: fn(person: &str) -> String,
    pub(crate) adult_wanted: &'static str,
    pub(crate) gender: &'static str,
    pub(crate) gender_contradicts: fn(person: &str) -> String,
    pub(crate) older_wanted: fn(person: &str) -> String,
    pub(crate) younger_wanted: fn(person: &str) -> String,
    pub(crate) gender_wanted: fn(person: &str) -> String,
    pub(crate) address: &'static str,
    pub(crate) line_1: &'static str,
    pub(crate) line_1_wanted: &'static str,
    pub(crate) line_2: &'static str,
    pub(crate) line_2_wanted: &'static str,
    pub(crate) city: &'static str,
    pub(crate) city_wanted: &'static str,
    pub(crate) state: &'static str,
    pub(crate) state_wanted: &'static str,
    pub(crate) country: &'static str,
    pub(crate) country_wanted: &'static str,
    pub(crate) insured_person: fn(person: &str) -> String,
    pub(crate) you_are_insured: &'static str,
    pub(crate) declared_illnesses: fn(illnesses: &str) -> String,
    pub(crate) nominee: &'static str,
    pub(crate) nominee_lead: &'static str,
    pub(crate) nominee_relation: &'static str,
    pub(crate) nominee_relation_wanted: &'static str,
    pub(crate) nominee_person: &'static str,
    pub(crate) nominee_mobile: &'static str,
    pub(crate) refunds: &'static str,
    pub(crate) refunds_lead: &'static str,
    pub(crate) account_number: &'static str,
    pub(crate) account_number_wanted: &'static str,
    pub(crate) ifsc: &'static str,
    pub(crate) ifsc_hint: &'static str,
    pub(crate) ifsc_wanted: &'static str,
    pub(crate) bank_name: &'static str,
    pub(crate) bank_name_wanted: &'static str,
    pub(crate) branch_name: &'static str,
    pub(crate) branch_name_wanted: &'static str,
}

/// The page that shows a price that has changed.
pub(crate) struct PriceChangeWords {
    pub(crate) title: &'static str,
    pub(crate) waiting: &'static str,
    pub(crate) changed_title: &'static str,
    pub(crate) changed_text: &'static str,
    pub(crate) same: &'static str,
    pub(crate) before: &'static str,
    pub(crate) now: &'static str,
    pub(crate) calculated_for: &'static str,
    pub(crate) accept_price: fn(premium: &str) -> String,
    pub(crate) other_plans: &'static str,
    pub(crate) correct_details: &'static str,
    pub(crate) gone_title: &'static str,
    pub(crate) gone_text: &'static str,
}

/// The last page before the application, with the texts of the consents.
pub(crate) struct ReviewWords {
    pub(crate) title: &'static str,
    pub(crate) lead: &'static str,
    pub(crate) your_plan: &'static str,
    pub(crate) your_price: &'static str,
    pub(crate) base_premium: &'static str,
    pub(crate) gst: &'static str,
    pub(crate) gst_nil: &'static str,
    pub(crate) to_pay_for: fn(years: &str) -> String,
    pub(crate) how_paid: &'static str,
    pub(crate) when_starts: &'static str,
    pub(crate) starts_on_acceptance: fn(day: &str, years: &str) -> String,
    pub(crate) ports_policy: &'static str,
    pub(crate) ports_policy_of: fn(years: Decimal) -> String,
    pub(crate) insured_people: &'static str,
    pub(crate) born_on: fn(day: &str) -> String,
    pub(crate) no_illness_declared: &'static str,
    pub(crate) proposer: &'static str,
    pub(crate) refund_account: fn(account: &str) -> String,
    pub(crate) your_consent: &'static str,
    pub(crate) consent_declaration: &'static str,
    pub(crate) consent_insurer: fn(insurer: &str, partner: &str, operator: Option<&str>) -> String,
    pub(crate) consent_messages: &'static str,
    pub(crate) consent_needed: &'static str,
    pub(crate) consent_free: &'static str,
    pub(crate) declaration_wanted: &'static str,
    pub(crate) insurer_wanted: &'static str,
    pub(crate) send_application: &'static str,
    pub(crate) sending: &'static str,
}

/// The page that shows the state of an application.
pub(crate) struct StatusWords {
    pub(crate) accepted_title: &'static str,
    pub(crate) accepted_text: fn(insurer: &str, starts: &str, ends: &str) -> String,
    pub(crate) waiting_title: &'static str,
    pub(crate) waiting_text: fn(insurer: &str) -> String,
    pub(crate) offline_title: &'static str,
    pub(crate) offline_text: fn(insurer: &str) -> String,
    pub(crate) rejected_title: &'static str,
    pub(crate) rejected_text: fn(insurer: &str) -> String,
    pub(crate) cancelled_title: &'static str,
    pub(crate) cancelled_text: &'static str,
    pub(crate) reason: &'static str,
    pub(crate) keep_this_address: &'static str,
    pub(crate) link_to_status: &'static str,
    pub(crate) ended_title: &'static str,
    pub(crate) ended_text: &'static str,
    pub(crate) open_again: &'static str,
    pub(crate) other_birth_date: &'static str,
    pub(crate) too_many_dates: &'static str,
    pub(crate) good_to_know: &'static str,
    pub(crate) policy_number: &'static str,
    pub(crate) insurers_number: &'static str,
    pub(crate) application_number: &'static str,
    pub(crate) open_certificate: &'static str,
    pub(crate) certificate_language: &'static str,
    pub(crate) what_happened: &'static str,
    pub(crate) at_time: fn(day: &str, time: &str) -> String,
    pub(crate) moved_initiated: &'static str,
    pub(crate) moved_pending: &'static str,
    pub(crate) moved_submitted: &'static str,
    pub(crate) moved_offline: &'static str,
    pub(crate) moved_underwriting: &'static str,
    pub(crate) moved_accepted: &'static str,
    pub(crate) moved_rejected: &'static str,
    pub(crate) moved_cancelled: &'static str,
    pub(crate) another_plan: &'static str,
    pub(crate) cover_others: &'static str,
    pub(crate) look_again: &'static str,
    pub(crate) still_needed: fn(settlement: &str) -> String,
}

/// The error pages.
pub(crate) struct ErrorsWords {
    pub(crate) wrong_title: &'static str,
    pub(crate) wrong_text: &'static str,
    pub(crate) used_title: &'static str,
    pub(crate) used_text: &'static str,
    pub(crate) expired_title: &'static str,
    pub(crate) expired_text: &'static str,
    pub(crate) disabled_title: &'static str,
    pub(crate) disabled_text: fn(partner: &str) -> String,
    pub(crate) over_title: &'static str,
    pub(crate) over_text: &'static str,
    pub(crate) cookies_title: &'static str,
    pub(crate) cookies_text: &'static str,
    pub(crate) missing_title: &'static str,
    pub(crate) missing_text: &'static str,
    pub(crate) too_often_title: &'static str,
    pub(crate) too_often_text: &'static str,
    pub(crate) trouble_title: &'static str,
    pub(crate) trouble_text: &'static str,
    pub(crate) foreign_form_title: &'static str,
    pub(crate) foreign_form_text: &'static str,
    pub(crate) begin_again: &'static str,
    pub(crate) error_number: fn(id: &str) -> String,
}
