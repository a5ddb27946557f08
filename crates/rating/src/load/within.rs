//! Parses the length of a period: `within_days`, `within_months` or `within_years`.

use crate::parse::document::Section;
use crate::parse::values;
use crate::within::Within;

/// Keys for the length of a period, each with the greatest allowed value.
const KEYS: [(&str, u32); 3] = [("within_days", 36_500), ("within_months", 1200), ("within_years", 100)];

/// Parses the key that is present. `None` after a reported fault. `Some(None)`: none of the keys is present.
pub(super) fn parse(section: &Section<'_>) -> Option<Option<Within>> {
    let there: Vec<&(&str, u32)> = KEYS.iter().filter(|(key, _)| section.has(key)).collect();
    let [(key, most)] = there[..] else {
        if let [_, (second, _), ..] = there[..] {
            section.report(
                second,
                "A period must have only one of `within_days`, `within_months` and `within_years`.",
            );
            for (key, most) in there {
                section.optional(key, |value| values::whole(value, 1, *most));
            }
            return None;
        }
        return Some(None);
    };
    let number = section.optional(key, |value| values::whole(value, 1, *most))? as u16;
    Some(Some(match *key {
        "within_days" => Within::Days(number),
        "within_months" => Within::Months(number),
        _ => Within::Months(number * 12),
    }))
}
