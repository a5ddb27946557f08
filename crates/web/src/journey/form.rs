//! Submitted forms: the values of their fields with the errors found in them.

use domain::text::FromText;

use super::words::western_digit;

/// Most values of a form that are read. A large family with every illness has fewer.
const MOST_VALUES: usize = 2000;

/// The error of one field, in the customer's language.
pub(crate) struct FieldError {
    /// The field's id in the page.
    pub(crate) field: String,
    /// A sentence that says what is expected.
    pub(crate) message: String,
}

/// The values of a form's fields, typed or answered before, with their errors.
#[derive(Default)]
pub(crate) struct Form {
    values: Vec<(String, String)>,
    errors: Vec<FieldError>,
}

impl Form {
    /// The fields of a body or a query.
    pub(crate) fn parse(encoded: &[u8]) -> Self {
        let values = form_urlencoded::parse(encoded).take(MOST_VALUES);
        let values = values.map(|(name, value)| (name.into_owned(), value.into_owned()));
        Form { values: values.collect(), errors: Vec::new() }
    }

    /// Adds a value, as if it had been typed.
    pub(crate) fn put(&mut self, name: impl AsRef<str>, value: impl Into<String>) {
        self.values.push((name.as_ref().to_owned(), value.into()));
    }

    /// The value of a field, trimmed; empty where nothing was typed.
    pub(crate) fn value(&self, name: impl AsRef<str>) -> &str {
        self.values.iter().find(|(key, _)| key == name.as_ref()).map_or("", |(_, value)| value.trim())
    }

    /// Every value under a name, such as those of check boxes.
    pub(crate) fn values<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        self.values.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.trim())
    }

    /// Whether a value is among those under a name.
    pub(crate) fn is_checked(&self, name: impl AsRef<str>, value: &str) -> bool {
        self.values(name.as_ref()).any(|checked| checked == value)
    }

    /// Notes the error of a field. The first error of a field stays.
    pub(crate) fn add_error(&mut self, field: impl AsRef<str>, message: impl Into<String>) {
        let field = field.as_ref();
        if self.error(field).is_none() {
            self.errors.push(FieldError { field: field.to_owned(), message: message.into() });
        }
    }

    pub(crate) fn error(&self, field: impl AsRef<str>) -> Option<&str> {
        self.errors.iter().find(|error| error.field == field.as_ref()).map(|error| error.message.as_str())
    }

    /// All errors, in the order in which they were found.
    pub(crate) fn errors(&self) -> &[FieldError] {
        &self.errors
    }

    /// Whether there are no errors.
    pub(crate) fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    /// Parses a field that must be filled in. `wanted` is the error where it is empty or does not parse.
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

    /// Changes the digits of a field to 0 to 9, whichever keyboard they were typed on.
    pub(crate) fn normalize_digits(&mut self, name: impl AsRef<str>) {
        for (_, value) in self.values.iter_mut().filter(|(key, _)| key == name.as_ref()) {
            *value = value.chars().map(western_digit).collect();
        }
    }

    /// A whole number, where one was typed.
    pub(crate) fn whole_number(&self, name: impl AsRef<str>) -> Option<u32> {
        let digits: String = self.value(name).chars().map(western_digit).collect();
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number)
    }

    /// Parses a field that may be left empty.
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
    fn values_are_found_by_name() {
        let form = Form::parse("a=+1+&b=x%26y&b=%E0%A4%B9&c".as_bytes());
        assert_eq!(form.value("a"), "1");
        assert_eq!(form.values("b").collect::<Vec<_>>(), ["x&y", "ह"]);
        assert!(form.is_checked("b", "ह") && !form.is_checked("b", "x"));
        assert_eq!(form.value("c"), "");
        assert_eq!(form.value("d"), "");
    }

    #[test]
    fn digits_of_a_hindi_keyboard_are_digits() {
        let mut form = Form::parse("age=३४&pincode=५६००३८&bad=३x".as_bytes());
        assert_eq!(form.whole_number("age"), Some(34));
        assert_eq!(form.whole_number("bad"), None);
        form.normalize_digits("pincode");
        assert_eq!(form.value("pincode"), "560038");
    }

    #[test]
    fn the_first_error_of_a_field_stays() {
        let mut form = Form::default();
        form.add_error("a", "first");
        form.add_error("a", "second");
        assert_eq!(form.error("a"), Some("first"));
        assert_eq!(form.errors().len(), 1);
    }
}
