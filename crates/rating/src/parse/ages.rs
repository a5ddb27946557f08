//! Age ranges. Their least age can be in days or months: `{ least = "91 days", most = 25 }`.

use domain::date::LeastAge;
use toml::de::DeValue;

use super::document::Section;
use super::parsed::Parsed;
use super::values::{self, ValueError};
use crate::between::Between;

/// Highest age that a catalogue may name, in completed years.
const OLDEST: u32 = 120;
/// Highest least age that a catalogue may give in days (ten years).
const MOST_DAYS: u16 = 3650;
const MOST_MONTHS: u16 = 120;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Ages {
    /// Range in completed years. A least age in days or months is rounded down.
    pub(crate) years: Between<u16>,
    /// Exact least age, if the file gives it in days or months.
    pub(crate) least: Option<LeastAge>,
}

/// Parses the age range that a key has.
pub(crate) fn ages(section: &Section<'_>, key: &str) -> Parsed<Ages> {
    let value = section.section(key).and_then(|inner| {
        let (least, most) = (inner.required("least", least), inner.required("most", years));
        inner.close();
        let (least, most) = (least?, most?);
        let least_years = match least {
            Least::Years(years) => years,
            Least::Exact(exact) => exact.whole_years(),
        };
        if least_years > most {
            section.report(key, format!("`{key}` has a `least` above its `most`."));
            return None;
        }
        let exact = match least {
            Least::Years(_) => None,
            Least::Exact(exact) => Some(exact),
        };
        Some(Ages { years: Between { least: least_years, most }, least: exact })
    });
    Parsed::of(section, key, value)
}

/// Least age, in the unit in which the file gives it.
enum Least {
    Years(u16),
    Exact(LeastAge),
}

fn years(value: &DeValue<'_>) -> Result<u16, ValueError> {
    values::whole(value, 0, OLDEST).map(|age| age as u16)
}

/// Parses a number of completed years, or text with a number of days or months.
fn least(value: &DeValue<'_>) -> Result<Least, ValueError> {
    let Some(text) = value.as_str() else { return years(value).map(Least::Years) };
    let wanted = || {
        format!(
            "must be completed years, or days or months such as \"91 days\" or \"3 months\", not {text:?}"
        )
    };
    let (number, unit) = text.trim().split_once(' ').ok_or_else(wanted)?;
    let is_plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let number: u16 = number.parse().ok().filter(|number| is_plain && *number > 0).ok_or_else(wanted)?;
    let (age, most) = match unit.trim() {
        "day" | "days" => (LeastAge::Days(number), MOST_DAYS),
        "month" | "months" => (LeastAge::Months(number), MOST_MONTHS),
        _ => return Err(wanted()),
    };
    if number > most {
        return Err(format!("must be at most {MOST_DAYS} days or {MOST_MONTHS} months"));
    }
    Ok(Least::Exact(age))
}
