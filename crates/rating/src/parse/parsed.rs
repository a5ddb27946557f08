//! What a section says of something that another may say instead: a product, and a variant of it.

use toml::de::DeValue;

use super::document::Section;
use super::values::Refusal;
use crate::between::Between;

/// What a section says of one limit.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Said<T> {
    /// Nothing.
    #[default]
    Nothing,
    /// Something that is a fault already noted.
    Wrong,
    /// This.
    This(T),
}

impl<T> Said<T> {
    /// This, and where it is silent the other.
    pub(crate) fn or(self, other: Said<T>) -> Said<T> {
        match self {
            Said::Nothing => other,
            Said::Wrong | Said::This(_) => self,
        }
    }

    /// What is said, or what holds where nothing is. `None` where a fault was noted.
    pub(crate) fn or_else(self, default: impl FnOnce() -> T) -> Option<T> {
        match self {
            Said::Nothing => Some(default()),
            Said::Wrong => None,
            Said::This(value) => Some(value),
        }
    }

    /// What is said. That nothing is, is noted at the variant.
    pub(crate) fn required(self, key: &str, variant: &Section<'_>) -> Option<T> {
        match self {
            Said::This(value) => Some(value),
            Said::Wrong => None,
            Said::Nothing => {
                let message = format!(
                    "`{key}` is missing: neither the product's [eligibility] nor the variant's has it."
                );
                variant.fault("eligibility", message);
                None
            }
        }
    }
}

/// What a key says, of which `value` could be read.
pub(crate) fn said<T>(section: &Section<'_>, key: &'static str, value: Option<T>) -> Said<T> {
    match value {
        Some(value) => Said::This(value),
        None if section.has(key) => Said::Wrong,
        None => Said::Nothing,
    }
}

/// Reads `{ least = …, most = … }`.
pub(crate) fn between<T: PartialOrd>(
    section: &Section<'_>,
    key: &'static str,
    read: impl Fn(&DeValue<'_>) -> Result<T, Refusal>,
) -> Said<Between<T>> {
    let value = section.section(key).and_then(|inner| {
        let (least, most) = (inner.required("least", &read), inner.required("most", &read));
        inner.close();
        let between = Between { least: least?, most: most? };
        if between.least > between.most {
            section.fault(key, format!("`{key}` has a `least` above its `most`."));
            return None;
        }
        Some(between)
    });
    said(section, key, value)
}
