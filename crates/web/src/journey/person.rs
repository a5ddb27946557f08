//! The people of a journey, as its pages name them.

use domain::health_proposal::FamilyMember;
use domain::health_quote::Member;

use super::words::Words;

/// A person by relation alone; children of whom there are several are told apart by their ages.
pub(crate) fn name(words: Words, family: &[FamilyMember], at: usize) -> String {
    let Some(one) = family.get(at) else { return String::new() };
    let relation = one.member.relation;
    let alike = family.iter().filter(|other| other.member.relation == relation).count();
    if alike > 1 { with_age(words, &one.member) } else { words.relation(relation).into_owned() }
}

/// A person with the age.
pub(crate) fn with_age(words: Words, member: &Member) -> String {
    let person = words.relation(member.relation);
    match member.age.completed_years() {
        0 => words.baby(person).into_owned(),
        age => words.person_of_age(person, age).into_owned(),
    }
}

/// All of them in a line.
pub(crate) fn all(words: Words, members: &[Member]) -> String {
    members.iter().map(|member| with_age(words, member)).collect::<Vec<_>>().join(" · ")
}
