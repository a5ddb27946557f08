//! Family members as text in charts or commands: `self:40 spouse:34 son:8`.

use std::str::FromStr;

use domain::health_quote::{Age, Member, Relation};
use domain::text::FromText;
use rust_decimal::Decimal;

/// Members of a family, in the order of [`Relation::ALL`]. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Members(pub Vec<Member>);

impl FromText for Members {
    const WANTED: &'static str = "relations with ages, such as \"self:40 spouse:34 son:8\",";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let members: Result<Vec<Member>, _> = text.split_whitespace().map(parse_member).collect();
        let mut members = members?;
        if members.is_empty() {
            return Err("text that names nobody");
        }
        members.sort_by_key(|member| member.relation);
        let twice = members
            .windows(2)
            .any(|pair| pair[0].relation == pair[1].relation && !pair[0].relation.may_repeat());
        if twice { Err("text that names someone twice") } else { Ok(Members(members)) }
    }
}

fn parse_member(text: &str) -> Result<Member, &'static str> {
    let (relation, age) = text.split_once(':').ok_or("text without an age")?;
    let relation = Relation::from_text(relation).map_err(|_| "text with an unknown relation")?;
    let plain = age.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let age = Decimal::from_str(age).ok().filter(|_| plain).and_then(Age::of);
    Ok(Member { relation, age: age.ok_or("text with an age outside 0 to 120")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsed_family_members_are_sorted_by_relation() {
        let Members(members) = Members::from_text("son:8  self:40 daughter:0.5 spouse:34").expect("a family");
        let printed: Vec<String> =
            members.iter().map(|member| format!("{} {}", member.relation, member.age.as_decimal())).collect();
        assert_eq!(printed, ["self 40", "spouse 34", "daughter 0.5", "son 8"]);
    }

    #[test]
    fn a_text_that_does_not_describe_a_family_is_refused() {
        for text in ["", " ", "self", "self:", "self:x", "self:-1", "self:121", "uncle:50", "self:40 self:41"]
        {
            assert!(Members::from_text(text).is_err(), "{text:?}");
        }
        assert!(Members::from_text("son:8 son:8").is_ok());
    }
}
