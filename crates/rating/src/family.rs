//! Families, as the limits and rates of a catalogue count their members.

use std::fmt;

use domain::health_quote::{Member, Relation};

/// Numbers of adults and children in a family. Prints as in rate tables: `2A1C`, `1A`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FamilySize {
    pub adults: u8,
    pub children: u8,
}

impl FamilySize {
    /// Parses text such as `2A1C`. Accepts only the form in which [`FamilySize`] prints.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (adults, rest) = text.split_once('A')?;
        let children = if rest.is_empty() { "0" } else { rest.strip_suffix('C')? };
        let size = FamilySize { adults: adults.parse().ok()?, children: children.parse().ok()? };
        (size.to_string() == text).then_some(size)
    }
}

impl fmt::Display for FamilySize {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FamilySize { adults, children: 0 } => write!(to, "{adults}A"),
            FamilySize { adults, children } => write!(to, "{adults}A{children}C"),
        }
    }
}

/// A family that is within the limits of a variant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Family<'r> {
    pub(crate) size: FamilySize,
    /// Insured members. Never empty.
    members: &'r [Member],
}

impl<'r> Family<'r> {
    /// Builds the family. `size` must be the numbers of adults and children in `members`.
    pub(crate) const fn of(members: &'r [Member], size: FamilySize) -> Self {
        Family { size, members }
    }

    pub(crate) const fn count(&self) -> usize {
        self.members.len()
    }

    /// Age of each member in completed years.
    pub(crate) fn ages(&self) -> impl Iterator<Item = u16> {
        self.members.iter().map(|member| member.age.completed_years())
    }

    /// Age of the eldest member in completed years.
    pub(crate) fn eldest(&self) -> u16 {
        self.ages().max().unwrap_or(0)
    }

    /// Age in completed years of each member except the eldest. If several members have the highest age, only
    /// the first of them is left out.
    pub(crate) fn others(&self) -> impl Iterator<Item = u16> {
        let eldest = self.eldest();
        let eldest_at = self.ages().position(|age| age == eldest);
        self.ages().enumerate().filter(move |(at, _)| Some(*at) != eldest_at).map(|(_, age)| age)
    }
}

/// Whether a member counts as a child: a son or daughter who is at most `oldest` years old.
pub(crate) fn is_child(member: &Member, oldest: u16) -> bool {
    let offspring = match member.relation {
        Relation::Daughter | Relation::Son => true,
        Relation::Own | Relation::Spouse | Relation::Father | Relation::Mother => false,
    };
    offspring && member.age.completed_years() <= oldest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_size_is_read_only_in_the_form_in_which_it_is_printed() {
        for size in ["1A", "2A", "1A1C", "2A12C", "0A1C"] {
            assert_eq!(FamilySize::parse(size).map(|size| size.to_string()).as_deref(), Some(size));
        }
        for text in ["", "A", "1", "1A0C", "01A", "1A1", "1A1c", "1C", "1A1CC", "+1A", "300A"] {
            assert_eq!(FamilySize::parse(text), None, "{text}");
        }
    }
}
