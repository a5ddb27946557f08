//! Submitted forms: the values of their fields, and the errors in them.

use domain::text::{FromText, ungrouped};

use super::words::western_digit;

/// Maximum number of values that are read from a form. A large family with all illnesses has fewer.
const MOST_VALUES: usize = 2000;

/// Error of a field, in the customer's language.
pub(crate) struct FieldError {
    /// Id of the field in the page.
    pub(crate) field: String,
    /// Sentence that says what the field must have.
    pub(crate) message: String,
}

/// Values of a form's fields, with the errors of these fields.
#[derive(Default)]
pub(crate) struct Form {
    values: Vec<(String, String)>,
    errors: Vec<FieldError>,
}

impl Form {
    /// Parses the fields of a form from a body or a query.
    pub(crate) fn parse(encoded: &[u8]) -> Self {
        let values = form_urlencoded::parse(encoded).take(MOST_VALUES);
        let values = values.map(|(name, value)| (name.into_owned(), value.into_owned()));
        Form { values: values.collect(), errors: Vec::new() }
    }

    /// Adds a value to a field, as if the customer had typed it.
    pub(crate) fn put(&mut self, name: impl AsRef<str>, value: impl Into<String>) {
        self.values.push((name.as_ref().to_owned(), value.into()));
    }

    /// Value of a field, trimmed. Empty if the customer typed nothing.
    pub(crate) fn value(&self, name: impl AsRef<str>) -> &str {
        self.values.iter().find(|(key, _)| key == name.as_ref()).map_or("", |(_, value)| value.trim())
    }

    /// All values of a field, such as those of check boxes.
    pub(crate) fn values<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        self.values.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.trim())
    }

    /// Whether the field `name` has this value, among others.
    pub(crate) fn is_checked(&self, name: impl AsRef<str>, value: &str) -> bool {
        self.values(name.as_ref()).any(|checked| checked == value)
    }

    /// Adds an error to a field, unless the field has one already.
    pub(crate) fn add_error(&mut self, field: impl AsRef<str>, message: impl Into<String>) {
        let field = field.as_ref();
        if self.error(field).is_none() {
            self.errors.push(FieldError { field: field.to_owned(), message: message.into() });
        }
    }

    pub(crate) fn error(&self, field: impl AsRef<str>) -> Option<&str> {
        self.errors.iter().find(|error| error.field == field.as_ref()).map(|error| error.message.as_str())
    }

    /// All errors of the form, in the order in which they were added.
    pub(crate) fn errors(&self) -> &[FieldError] {
        &self.errors
    }

    /// Whether the form has no errors.
    pub(crate) fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    /// Parses a required field. `wanted` is the error message if the field is empty or invalid.
    pub(crate) fn required<T: FromText>(
        &mut self,
        name: impl AsRef<str>,
        wanted: impl Into<String>,
    ) -> Option<T> {
        let parsed = match self.value(&name) {
            "" => None,
            text => T::from_text(text).ok(),
        };
        if parsed.is_none() {
            self.add_error(name, wanted);
        }
        parsed
    }

    /// Replaces digits of other scripts in a field by 0 to 9, because keyboards can have such digits.
    pub(crate) fn normalize_digits(&mut self, name: impl AsRef<str>) {
        for (_, value) in self.values.iter_mut().filter(|(key, _)| key == name.as_ref()) {
            *value = value.chars().map(western_digit).collect();
        }
    }

    /// Replaces digits of other scripts in the field of a number without decimals by 0 to 9, and removes
    /// blanks, hyphens and dots, because people paste numbers in groups.
    pub(crate) fn normalize_number(&mut self, name: impl AsRef<str>) {
        for (_, value) in self.values.iter_mut().filter(|(key, _)| key == name.as_ref()) {
            *value = ungrouped(value).chars().filter(|sign| *sign != '.').map(western_digit).collect();
        }
    }

    /// Value of a field as a whole number. `None` if the value is not one.
    pub(crate) fn whole_number(&self, name: impl AsRef<str>) -> Option<u32> {
        let digits: String = self.value(name).chars().map(western_digit).collect();
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number)
    }

    /// Parses an optional field. `wanted` is the error message if the field is invalid.
    pub(crate) fn optional<T: FromText>(
        &mut self,
        name: impl AsRef<str>,
        wanted: impl Into<String>,
    ) -> Option<T> {
        if self.value(&name).is_empty() { None } else { self.required(name, wanted) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_values_are_decoded_and_found_by_field_name() {
        let form = Form::parse("a=+1+&b=x%26y&b=%E0%A4%B9&c".as_bytes());
        assert_eq!(form.value("a"), "1");
        assert_eq!(form.values("b").collect::<Vec<_>>(), ["x&y", "ह"]);
        assert!(form.is_checked("b", "ह") && !form.is_checked("b", "x"));
        assert_eq!(form.value("c"), "");
        assert_eq!(form.value("d"), "");
    }

    #[test]
    fn a_pasted_number_is_read_without_its_blanks_hyphens_and_dots() {
        let text = "account=0012+3456\u{a0}7890\u{2011}1234.56&ifsc=HDFC-0000 001";
        let mut form = Form::parse(text.as_bytes());
        form.normalize_number("account");
        form.normalize_number("ifsc");
        assert_eq!((form.value("account"), form.value("ifsc")), ("001234567890123456", "HDFC0000001"));
    }

    #[test]
    fn devanagari_digits_in_a_form_are_read_as_digits() {
        let mut form = Form::parse("age=३४&pincode=५६००३८&bad=३x".as_bytes());
        assert_eq!(form.whole_number("age"), Some(34));
        assert_eq!(form.whole_number("bad"), None);
        form.normalize_number("pincode");
        assert_eq!(form.value("pincode"), "560038");
    }

    #[test]
    fn a_field_keeps_only_its_first_error() {
        let mut form = Form::default();
        form.add_error("a", "first");
        form.add_error("a", "second");
        assert_eq!(form.error("a"), Some("first"));
        assert_eq!(form.errors().len(), 1);
    }
}
