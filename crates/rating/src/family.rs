//! Families: the people to be covered, as limits with rates count them.

use std::fmt;

use domain::health_quote::{Member, Relation};

/// How many adults and children a family has. Prints as rate tables write it: `2A1C`, `1A`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FamilySize {
    pub adults: u8,
    pub children: u8,
}

impl FamilySize {
    /// Parses what [`FamilySize`] prints, and nothing else.
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

/// A family within a variant's limits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Family<'r> {
    pub(crate) size: FamilySize,
    /// At least one.
    members: &'r [Member],
}

impl<'r> Family<'r> {
    /// The family of members that have this size.
    pub(crate) const fn of(members: &'r [Member], size: FamilySize) -> Self {
        Family { size, members }
    }

    /// How many members there are.
    pub(crate) const fn count(&self) -> usize {
        self.members.len()
    }

    /// Completed years of each member.
    pub(crate) fn ages(&self) -> impl Iterator<Item = u16> {
        self.members.iter().map(|member| member.age.completed_years())
    }

    /// Completed years of the eldest member.
    pub(crate) fn eldest(&self) -> u16 {
        self.ages().max().unwrap_or(0)
    }

    /// Completed years of each member but the eldest. Where several are the eldest, the first one counts.
    pub(crate) fn others(&self) -> impl Iterator<Item = u16> {
        let eldest = self.eldest();
        let eldest_at = self.ages().position(|age| age == eldest);
        self.ages().enumerate().filter(move |(at, _)| Some(*at) != eldest_at).map(|(_, age)| age)
    }
}

/// Whether a member is a child: a son or daughter not above the oldest age of children.
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
    fn a_size_is_read_as_it_prints_and_not_otherwise() {
        for size in ["1A", "2A", "1A1C", "2A12C", "0A1C"] {
            assert_eq!(FamilySize::parse(size).map(|size| size.to_string()).as_deref(), Some(size));
        }
        for text in ["", "A", "1", "1A0C", "01A", "1A1", "1A1c", "1C", "1A1CC", "+1A", "300A"] {
            assert_eq!(FamilySize::parse(text), None, "{text}");
        }
    }
}
