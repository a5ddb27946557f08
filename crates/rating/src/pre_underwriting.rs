//! Rules before underwriting, which a health proposal must pass before its insurer sees it.

use domain::language::Text;
use domain::money::Rupees;

/// A rule of a product. It holds where all its conditions hold; those on a person must hold for one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreUnderwritingRule {
    /// Condition: a person has this age in completed years, or is older.
    pub from_age: Option<u16>,
    /// Condition: a person has all of these illnesses.
    pub illnesses: Vec<String>,
    /// Condition: a person has this number of illnesses, or more.
    pub illnesses_of_one: Option<u16>,
    /// Condition: the sum insured is above this.
    pub sum_insured_above: Option<Rupees>,
    pub then: Consequence,
    /// The reason, for the customer.
    pub reason: Text,
}

/// The consequence of a rule that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// The proposal is cancelled.
    Cancel,
    /// The proposal goes to a person for review, outside of this service.
    Refer,
}

/// The facts of a person that rules check.
#[derive(Debug, Clone, Copy)]
pub struct InsuredPerson<'a> {
    /// Completed years.
    pub age: u16,
    /// Ids of the illnesses that the person has.
    pub illnesses: &'a [&'a str],
}

impl PreUnderwritingRule {
    fn holds(&self, people: &[InsuredPerson<'_>], sum_insured: Rupees) -> bool {
        let of_a_person = |person: &InsuredPerson<'_>| {
            let has = |id: &String| person.illnesses.iter().any(|illness| illness.eq_ignore_ascii_case(id));
            self.from_age.is_none_or(|age| person.age >= age)
                && self.illnesses.iter().all(has)
                && self.illnesses_of_one.is_none_or(|most| person.illnesses.len() >= usize::from(most))
        };
        self.sum_insured_above.is_none_or(|most| sum_insured > most) && people.iter().any(of_a_person)
    }
}

/// The rule that decides: the first that cancels, else the first that refers. `None`: no rule holds.
pub(crate) fn deciding<'r>(
    rules: &'r [PreUnderwritingRule],
    people: &[InsuredPerson<'_>],
    sum_insured: Rupees,
) -> Option<&'r PreUnderwritingRule> {
    let holding = || rules.iter().filter(|rule| rule.holds(people, sum_insured));
    holding().find(|rule| rule.then == Consequence::Cancel).or_else(|| holding().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule() -> PreUnderwritingRule {
        PreUnderwritingRule {
            from_age: Some(61),
            illnesses: vec!["diabetes".into()],
            illnesses_of_one: Some(2),
            sum_insured_above: Some(Rupees::whole(1_000_000)),
            then: Consequence::Refer,
            reason: Text::new("A doctor must look.".to_owned(), []),
        }
    }

    #[test]
    fn all_conditions_of_a_rule_must_hold_for_one_person() {
        let person = |age, illnesses| InsuredPerson { age, illnesses };
        let two: &[&str] = &["diabetes", "asthma"];
        let high = Rupees::whole(2_500_000);
        assert!(rule().holds(&[person(61, two)], high));
        assert!(!rule().holds(&[person(61, two)], Rupees::whole(1_000_000)), "the sum insured");
        assert!(!rule().holds(&[person(60, two)], high), "the age");
        assert!(!rule().holds(&[person(61, &["asthma", "thyroid"])], high), "the illness");
        assert!(!rule().holds(&[person(61, &["diabetes"])], high), "the number of illnesses");
        assert!(!rule().holds(&[person(61, &[]), person(40, two)], high), "two people do not make one");
    }
}
