//! Parsers for the values of keys. Each parses one kind of value. Its error says what is allowed.

use domain::date::Date;
use domain::id::{Id, Uuid};
use domain::money::{Rupees, TaxRate};
use rust_decimal::Decimal;
use toml::de::DeValue;

use super::number;

/// Why a value is invalid. Completes a sentence that begins with the key: "must be text".
pub(crate) type ValueError = String;

/// Longest text, in characters.
const LONGEST_TEXT: usize = 2000;

/// Error for a value with the wrong TOML type.
fn other_type<T>(wanted: &str, value: &DeValue<'_>) -> Result<T, ValueError> {
    let actual = match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a section",
    };
    Err(format!("must be {wanted}, not {actual}"))
}

/// Parses text that is not blank. Removes outer spaces, and replaces line breaks by spaces.
pub(crate) fn text(value: &DeValue<'_>) -> Result<String, ValueError> {
    let Some(text) = value.as_str() else { return other_type("text", value) };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return Err("must not be blank".to_owned());
    }
    if text.chars().count() > LONGEST_TEXT {
        return Err(format!("must be text of at most {LONGEST_TEXT} characters"));
    }
    if text.chars().any(char::is_control) {
        return Err("must be text without control characters".to_owned());
    }
    Ok(text)
}

/// Parses an `https://` URL.
pub(crate) fn address(value: &DeValue<'_>) -> Result<String, ValueError> {
    let text = text(value)?;
    let host = text.strip_prefix("https://").filter(|rest| !rest.is_empty() && !rest.starts_with('/'));
    match host {
        Some(_) if !text.contains(' ') => Ok(text),
        _ => Err("must be an address that begins with https://".to_owned()),
    }
}

/// Parses the URL of a server: `https://` with a host and an optional path. `http://` is allowed only for
/// this machine, because requests carry a secret.
pub(crate) fn server(value: &DeValue<'_>) -> Result<String, ValueError> {
    const WANTED: &str =
        "must be an address that begins with https://, or with http:// and localhost or 127.0.0.1";
    let text = text(value)?;
    let (own, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return Err(WANTED.to_owned()),
    };
    let authority = rest.split('/').next().unwrap_or_default();
    let (host, port) = authority.split_once(':').unwrap_or((authority, "443"));
    let host_is_plain = host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
    let here = matches!(host, "localhost" | "127.0.0.1");
    let path_is_plain = rest.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '?' | '#' | '@' | '\\'));
    let good =
        !host.is_empty() && host_is_plain && path_is_plain && port.parse::<u16>().is_ok() && (!own || here);
    if good { Ok(text.trim_end_matches('/').to_owned()) } else { Err(WANTED.to_owned()) }
}

/// Parses a file name without a folder.
pub(crate) fn file_name(value: &DeValue<'_>) -> Result<String, ValueError> {
    let text = text(value)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if text.len() <= 100 && text.chars().all(plain) && !text.starts_with('.') {
        Ok(text)
    } else {
        Err("must be the name of a file: letters, digits, points, hyphens and underscores".to_owned())
    }
}

/// Parses a name that partners or other files use: lowercase letters, digits, hyphens and underscores.
pub(crate) fn name(value: &DeValue<'_>) -> Result<String, ValueError> {
    let text = text(value)?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    if text.len() <= 40 && text.chars().all(plain) {
        Ok(text)
    } else {
        Err("must be at most 40 small letters, digits, hyphens and underscores".to_owned())
    }
}

/// Parses the prefix of policy numbers: capital letters, digits and hyphens.
pub(crate) fn number_prefix(value: &DeValue<'_>) -> Result<String, ValueError> {
    let text = text(value)?;
    let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
    if text.len() <= 12 && text.chars().all(plain) {
        Ok(text)
    } else {
        Err("must be at most 12 capital letters, digits and hyphens".to_owned())
    }
}

/// Parses a word that must be one of `words`.
pub(crate) fn word(value: &DeValue<'_>, words: &[&'static str]) -> Result<&'static str, ValueError> {
    let wanted = || words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" or ");
    let Some(text) = value.as_str() else { return other_type(&wanted(), value) };
    match words.iter().find(|word| **word == text) {
        Some(word) => Ok(word),
        None => Err(format!("must be {}, not {text:?}", wanted())),
    }
}

/// Parses `true`. `false` is a fault.
pub(crate) fn yes(value: &DeValue<'_>) -> Result<(), ValueError> {
    flag(value)?.then_some(()).ok_or_else(|| "must be true; if it does not apply, remove the key".to_owned())
}

/// Joins names for a sentence: `` `a`, `b` and `c` ``.
pub(crate) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

pub(crate) fn flag(value: &DeValue<'_>) -> Result<bool, ValueError> {
    value.as_bool().map_or_else(|| other_type("true or false", value), Ok)
}

/// Parses a whole number from `least` to `most`.
pub(crate) fn whole(value: &DeValue<'_>, least: u32, most: u32) -> Result<u32, ValueError> {
    let DeValue::Integer(number) = value else { return other_type("a whole number", value) };
    let number = if number.radix() == 10 { number.as_str().parse().ok() } else { None };
    let within = number.filter(|number| (least..=most).contains(number));
    within.ok_or_else(|| format!("must be a whole number from {least} to {most}"))
}

/// Parses a number as a decimal with exactly the written value.
fn decimal(value: &DeValue<'_>) -> Result<Decimal, ValueError> {
    let written = match value {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
        DeValue::Float(number) => number.as_str(),
        _ => return other_type("a number", value),
    };
    Ok(number::decimal(written)?.normalize())
}

/// Parses an amount of rupees above zero with at most two decimals.
pub(crate) fn amount(value: &DeValue<'_>) -> Result<Rupees, ValueError> {
    let rupees = decimal(value)?;
    if rupees <= Decimal::ZERO {
        return Err("must be above zero".to_owned());
    }
    let amount = Rupees::nearest(rupees).filter(|amount| amount.to_decimal() == rupees);
    amount.ok_or_else(|| "must be an amount in rupees with at most two decimals".to_owned())
}

/// Parses a percentage from zero to `most`.
pub(crate) fn percent_or_zero(value: &DeValue<'_>, most: u32) -> Result<Decimal, ValueError> {
    if decimal(value)?.is_zero() { Ok(Decimal::ZERO) } else { percent(value, most) }
}

/// Parses a percentage above zero, up to `most`.
pub(crate) fn percent(value: &DeValue<'_>, most: u32) -> Result<Decimal, ValueError> {
    let percent = decimal(value)?;
    if percent <= Decimal::ZERO || percent > Decimal::from(most) {
        return Err(format!("must be above 0 and at most {most}"));
    }
    Ok(percent)
}

/// Parses a tax rate in percent. It can be zero.
pub(crate) fn tax_rate(value: &DeValue<'_>) -> Result<TaxRate, ValueError> {
    TaxRate::percent(decimal(value)?).ok_or_else(|| "must be from 0 to 100".to_owned())
}

/// Parses a TOML date, such as `2017-07-01` without quotation marks.
pub(crate) fn date(value: &DeValue<'_>) -> Result<Date, ValueError> {
    const WANTED: &str = "a day written without quotation marks, such as 2017-07-01";
    let DeValue::Datetime(written) = value else { return other_type(WANTED, value) };
    let day = written.date.filter(|_| written.time.is_none() && written.offset.is_none());
    let day = day.and_then(|day| {
        let part = |number: u8| i8::try_from(number).ok();
        Date::new(i16::try_from(day.year).ok()?, part(day.month)?, part(day.day)?).ok()
    });
    day.ok_or_else(|| format!("must be {WANTED}"))
}

/// Parses an id, which must be in canonical form.
pub(crate) fn id<Kind>(value: &DeValue<'_>) -> Result<Id<Kind>, ValueError>
where
    Id<Kind>: std::str::FromStr + std::fmt::Display + From<Uuid>,
    Kind: Default,
{
    let text = text(value)?;
    match text.parse::<Id<Kind>>() {
        Ok(id) if id.to_string() == text => Ok(id),
        _ => {
            let example = Id::<Kind>::from(Uuid::nil()).to_string();
            let prefix = example.split('_').next().unwrap_or_default();
            Err(format!(
                "must be an id of {prefix}_ and 26 characters (see `covernote catalogue id`), not {text:?}"
            ))
        }
    }
}
