//! Result of parsing a key of a variant. If the key is absent, the product's value can replace it.

use toml::de::DeValue;

use super::document::Section;
use super::values::ValueError;
use crate::between::Between;

/// Result of parsing a key. If the key of a variant is absent, the value of its product applies.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Parsed<T> {
    /// The key is absent.
    #[default]
    Absent,
    /// The value has a fault, which was reported.
    Invalid,
    Value(T),
}

impl<T> Parsed<T> {
    /// Builds the result. Pass `None` as `value` if the key is absent, or after a reported fault.
    pub(crate) fn of(section: &Section<'_>, key: &str, value: Option<T>) -> Parsed<T> {
        match value {
            Some(value) => Parsed::Value(value),
            None if section.has(key) => Parsed::Invalid,
            None => Parsed::Absent,
        }
    }

    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Parsed::Absent)
    }

    /// Returns `other` if the key is absent.
    pub(crate) fn or(self, other: Parsed<T>) -> Parsed<T> {
        match self {
            Parsed::Absent => other,
            Parsed::Invalid | Parsed::Value(_) => self,
        }
    }

    /// The value, or the default if the key is absent. `None` after a reported fault.
    pub(crate) fn or_default(self, default: impl FnOnce() -> T) -> Option<T> {
        match self {
            Parsed::Absent => Some(default()),
            Parsed::Invalid => None,
            Parsed::Value(value) => Some(value),
        }
    }

    /// The value. If the key is absent, reports this at the variant's section. `None` after a reported fault.
    pub(crate) fn required(self, key: &str, variant: &Section<'_>) -> Option<T> {
        match self {
            Parsed::Value(value) => Some(value),
            Parsed::Invalid => None,
            Parsed::Absent => {
                let message =
                    format!("`{key}` is missing: add it to [eligibility] of the product or of the variant.");
                variant.report("eligibility", message);
                None
            }
        }
    }
}

/// Parses a range that is written as `{ least = …, most = … }`.
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
