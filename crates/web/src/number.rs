//! Numbers in bodies: shapes that read them, and functions that write them.

use domain::health_quote::Age;
use domain::money::Rupees;
use rust_decimal::Decimal;
use serde_json::{Number, Value, json};

use crate::marker::is_infinite;
use crate::reader::{FieldLocation, Shape};
use crate::wording::sentence;

/// Shape of `true` or `false`.
pub(crate) struct Boolean;

impl Shape for Boolean {
    type Value = bool;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<bool> {
        let boolean = value.as_bool();
        if boolean.is_none() {
            at.mismatch(value, &self.wanted());
        }
        boolean
    }

    fn wanted(&self) -> String {
        "true or false".to_owned()
    }

    fn schema(&self) -> Value {
        json!({ "type": "boolean" })
    }
}

/// Shape of a number that is not negative (D16). A number beyond `Decimal` becomes `Decimal::MAX`: both are
/// beyond every limit.
pub(crate) struct NotNegative {
    /// Description of valid numbers for messages, such as "an amount in rupees, not negative".
    pub(crate) wanted: &'static str,
}

impl Shape for NotNegative {
    type Value = Decimal;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Decimal> {
        let Value::Number(number) = value else {
            at.mismatch(value, self.wanted);
            return None;
        };
        if number.as_f64().is_some_and(|number| number < 0.0) {
            at.invalid(self.wanted);
            return None;
        }
        Some(decimal(number).unwrap_or(Decimal::MAX))
    }

    fn wanted(&self) -> String {
        self.wanted.to_owned()
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": 0, "description": sentence(self.wanted) })
    }
}

/// Shape of an amount in rupees that is not negative. It is rounded to the nearest paisa (D16).
pub(crate) struct Amount;

const AMOUNT: NotNegative = NotNegative { wanted: "an amount in rupees, not negative" };

impl Shape for Amount {
    type Value = Rupees;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Rupees> {
        AMOUNT.read(value, at).map(Rupees::nearest_countable)
    }

    fn wanted(&self) -> String {
        AMOUNT.wanted()
    }

    fn schema(&self) -> Value {
        AMOUNT.schema()
    }
}

/// Shape of an age from 0 to 120 years (D15).
pub(crate) struct AgeNumber;

impl Shape for AgeNumber {
    type Value = Age;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Age> {
        let Value::Number(number) = value else {
            at.mismatch(value, &self.wanted());
            return None;
        };
        let age = decimal(number).and_then(Age::of);
        if age.is_none() {
            at.invalid(&self.wanted());
        }
        age
    }

    fn wanted(&self) -> String {
        "an age in years from 0 to 120".to_owned()
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 120 })
    }
}

/// Shape of an id from the partner's lists: text, or a whole number, because some platforms have numbers as
/// ids.
pub(crate) struct Identifier;

impl Shape for Identifier {
    type Value = String;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<String> {
        match value {
            Value::String(text) if text.trim().chars().count() <= 100 => {
                return Some(text.trim().to_owned());
            }
            Value::Number(number) if number.is_u64() => return Some(number.to_string()),
            _ => at.mismatch(value, &self.wanted()),
        }
        None
    }

    fn wanted(&self) -> String {
        "an identifier of at most 100 characters".to_owned()
    }

    fn schema(&self) -> Value {
        json!({ "type": ["string", "integer"], "maxLength": 100, "minimum": 0 })
    }
}

/// Shape of an object with any keys and texts as values (D12, D37).
pub(crate) struct TextMap {
    /// Maximum number of entries.
    pub(crate) most: usize,
    /// Maximum number of characters of a key.
    pub(crate) key: usize,
    /// Maximum number of characters of a text.
    pub(crate) text: usize,
}

impl Shape for TextMap {
    type Value = std::collections::BTreeMap<String, String>;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Self::Value> {
        let Some(entries) = value.as_object().filter(|object| !is_infinite(object)) else {
            at.mismatch(value, &self.wanted());
            return None;
        };
        if entries.len() > self.most {
            at.invalid(&self.wanted());
            return None;
        }
        let read: Vec<_> = entries.iter().map(|(key, text)| self.entry(key, text, at)).collect();
        read.into_iter().collect()
    }

    fn wanted(&self) -> String {
        let TextMap { most, key, text } = self;
        format!(
            "an object of at most {most} texts of at most {text} characters under keys of at most {key} characters"
        )
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object", "maxProperties": self.most,
            "additionalProperties": { "type": "string", "maxLength": self.text },
            "propertyNames": { "minLength": 1, "maxLength": self.key },
        })
    }
}

impl TextMap {
    fn entry(&self, key: &str, text: &Value, at: &mut FieldLocation<'_>) -> Option<(String, String)> {
        if key.trim().is_empty() || key.chars().count() > self.key {
            at.invalid(&self.wanted());
            return None;
        }
        match text {
            // Returned unchanged, because it is the partner's own data.
            Value::String(text) if text.chars().count() <= self.text => Some((key.to_owned(), text.clone())),
            Value::String(_) => {
                at.field(key).invalid(&format!("text of at most {} characters", self.text));
                None
            }
            other => {
                at.field(key).mismatch(other, &format!("text of at most {} characters", self.text));
                None
            }
        }
    }
}

/// A number that is nearer to zero than this becomes zero.
const NEXT_TO_NOTHING: f64 = 1e-20;

/// The number as a `Decimal`, if `Decimal` can represent it. A number too near to zero becomes zero.
fn decimal(number: &Number) -> Option<Decimal> {
    if number.as_f64().is_some_and(|number| number.abs() < NEXT_TO_NOTHING) {
        return Some(Decimal::ZERO);
    }
    let digits = number.to_string();
    digits.parse().or_else(|_| Decimal::from_scientific(&digits)).ok()
}

/// A decimal as a JSON number. A whole number has no decimal point.
pub(crate) fn to_number(decimal: Decimal) -> Number {
    if decimal.scale() == 0
        && let Ok(whole) = i64::try_from(decimal.mantissa())
    {
        return whole.into();
    }
    let decimal = decimal.normalize();
    if let Ok(whole) = i64::try_from(decimal)
        && decimal.is_integer()
    {
        return whole.into();
    }
    let float: f64 = decimal.to_string().parse().unwrap_or(f64::MAX);
    Number::from_f64(float).unwrap_or_else(|| 0.into())
}

/// An amount as a JSON number, in rupees.
pub(crate) fn amount(rupees: Rupees) -> Number {
    const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
    let paise = rupees.paise();
    match paise % 100 {
        0 => (paise / 100).into(),
        // Both numbers are exact as floats, so the quotient is the float nearest to the written amount.
        _ if paise.unsigned_abs() < EXACT => {
            Number::from_f64(paise as f64 / 100.0).unwrap_or_else(|| 0.into())
        }
        _ => to_number(rupees.to_decimal()),
    }
}

/// An amount as text in whole rupees, halves rounded up: `"1000000"` (D42).
pub(crate) fn whole_rupees(rupees: Rupees) -> String {
    rupees.nearest_whole().to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_amount_is_written_as_the_number_nearest_to_its_decimal_value(paise in prop_oneof![any::<i64>(), 0..10_i64.pow(12)]) {
            let rupees = Rupees::from_paise(paise);
            prop_assert_eq!(amount(rupees), to_number(rupees.to_decimal()));
        }
    }
}
