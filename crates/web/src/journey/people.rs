//! Names of people on the pages: family members, nominees, genders.

use domain::health_proposal::FamilyMember;
use domain::health_quote::{Member, Relation};
use domain::vocabulary;

use super::words::Words;

vocabulary! {
    /// Gender, in the words of the API.
    Gender, "one of FEMALE, MALE, OTHER" {
        Female = "FEMALE",
        Male = "MALE",
        Other = "OTHER",
    }
}

vocabulary! {
    /// Relationship of a nominee to the proposer, in the words of the API.
    NomineeRelation, "one of SPOUSE, FATHER, MOTHER, SON, DAUGHTER, BROTHER, SISTER, OTHER" {
        /// Husband or wife.
        Spouse = "SPOUSE",
        Father = "FATHER",
        Mother = "MOTHER",
        Son = "SON",
        Daughter = "DAUGHTER",
        Brother = "BROTHER",
        Sister = "SISTER",
        /// Another relative, or no relative.
        Other = "OTHER",
    }
}

impl Gender {
    /// Gender that a person with this relation cannot have: a father cannot be female. `None` if any gender
    /// is possible.
    pub(crate) const fn contradicting(relation: Relation) -> Option<Gender> {
        match relation {
            Relation::Father | Relation::Son => Some(Gender::Female),
            Relation::Mother | Relation::Daughter => Some(Gender::Male),
            Relation::Own | Relation::Spouse => None,
        }
    }

    pub(crate) const fn name(self, words: &Words) -> &'static str {
        match self {
            Gender::Female => words.people.female,
            Gender::Male => words.people.male,
            Gender::Other => words.people.another_gender,
        }
    }
}

impl NomineeRelation {
    pub(crate) const fn name(self, words: &Words) -> &'static str {
        let people = &words.people;
        match self {
            NomineeRelation::Spouse => people.nominee_spouse,
            NomineeRelation::Father => people.nominee_father,
            NomineeRelation::Mother => people.nominee_mother,
            NomineeRelation::Son => people.nominee_son,
            NomineeRelation::Daughter => people.nominee_daughter,
            NomineeRelation::Brother => people.nominee_brother,
            NomineeRelation::Sister => people.nominee_sister,
            NomineeRelation::Other => people.nominee_other,
        }
    }
}

/// Name of a family member: the relation to the customer. If several members have the same relation, the name
/// includes the age.
pub(crate) fn name(words: &Words, family: &[FamilyMember], at: usize) -> String {
    let Some(one) = family.get(at) else { return String::new() };
    let relation = one.member.relation;
    let alike = family.iter().filter(|other| other.member.relation == relation).count();
    if alike > 1 { with_age(words, &one.member) } else { words.relation(relation).to_owned() }
}

/// Relation and age of a family member, as text.
pub(crate) fn with_age(words: &Words, member: &Member) -> String {
    let person = words.relation(member.relation);
    match member.age.completed_years() {
        0 => (words.people.baby)(person),
        age => (words.people.person_of_age)(person, age),
    }
}

/// All family members with their ages, in one line of text.
pub(crate) fn all(words: &Words, members: &[Member]) -> String {
    members.iter().map(|member| with_age(words, member)).collect::<Vec<_>>().join(" · ")
}
