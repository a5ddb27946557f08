//! Pre-underwriting rules. They check a health proposal before its insurer gets it.

use domain::language::Text;
use domain::money::Rupees;

/// A pre-underwriting rule of a product. It applies if all its conditions are met. The conditions about a
/// person must all be met by the same person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreUnderwritingRule {
    /// Condition: the person has at least this age, in completed years.
    pub from_age: Option<u16>,
    /// Condition: the person has all of these illnesses.
    pub illnesses: Vec<String>,
    /// Condition: the person has at least this number of illnesses.
    pub illnesses_of_one: Option<u16>,
    /// Condition: the sum insured is above this amount.
    pub sum_insured_above: Option<Rupees>,
    pub then: Consequence,
    /// Reason that the customer sees.
    pub reason: Text,
}

/// Consequence of a rule that applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// The proposal is cancelled.
    Cancel,
    /// A person reviews the proposal outside this service.
    Refer,
}

/// Facts about an insured person that the rules check.
#[derive(Debug, Clone, Copy)]
pub struct InsuredPerson<'a> {
    /// Age in completed years.
    pub age: u16,
    /// Ids of the person's illnesses.
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

/// The rule that decides a proposal: the first rule that cancels it, otherwise the first rule that refers it
/// to a person. `None`: no rule applies.
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
    fn all_conditions_of_a_rule_must_hold_for_the_same_person() {
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
