//! The outcome of parsing a key that may be absent, so that another section's value can stand in for it.

use toml::de::DeValue;

use super::document::Section;
use super::values::ValueError;
use crate::between::Between;

/// The outcome of parsing a key. A variant's key that is absent takes the product's value.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Parsed<T> {
    /// The key is not there.
    #[default]
    Absent,
    /// The value is a fault, which has been reported.
    Invalid,
    Value(T),
}

impl<T> Parsed<T> {
    /// The outcome for a key of a section. `value` is `None` where the key is absent or its fault was reported.
    pub(crate) fn of(section: &Section<'_>, key: &str, value: Option<T>) -> Parsed<T> {
        match value {
            Some(value) => Parsed::Value(value),
            None if section.has(key) => Parsed::Invalid,
            None => Parsed::Absent,
        }
    }

    /// Whether the key is not there.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Parsed::Absent)
    }

    /// This outcome, or the other one where the key is absent.
    pub(crate) fn or(self, other: Parsed<T>) -> Parsed<T> {
        match self {
            Parsed::Absent => other,
            Parsed::Invalid | Parsed::Value(_) => self,
        }
    }

    /// The value, or the default where the key is absent. `None` where a fault was reported.
    pub(crate) fn or_default(self, default: impl FnOnce() -> T) -> Option<T> {
        match self {
            Parsed::Absent => Some(default()),
            Parsed::Invalid => None,
            Parsed::Value(value) => Some(value),
        }
    }

    /// The value. An absent key is reported at the variant.
    pub(crate) fn required(self, key: &str, variant: &Section<'_>) -> Option<T> {
        match self {
            Parsed::Value(value) => Some(value),
            Parsed::Invalid => None,
            Parsed::Absent => {
                let message = format!(
                    "`{key}` is missing: neither the product's [eligibility] nor the variant's has it."
                );
                variant.report("eligibility", message);
                None
            }
        }
    }
}

/// Parses `{ least = …, most = … }`.
pub(crate) fn between<T: PartialOrd>(
    section: &Section<'_>,
    key: &str,
    parse: impl Fn(&DeValue<'_>) -> Result<T, ValueError>,
) -> Parsed<Between<T>> {
    let value = section.section(key).and_then(|inner| {
        let (least, most) = (inner.required("least", &parse), inner.required("most", &parse));
        inner.close();
        let between = Between { least: least?, most: most? };
        if between.least > between.most {
            section.report(key, format!("`{key}` has a `least` above its `most`."));
            return None;
        }
        Some(between)
    });
    Parsed::of(section, key, value)
}
