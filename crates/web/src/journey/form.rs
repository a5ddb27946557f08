//! Forms: what was typed, what is wrong with it, and where.

use std::borrow::Cow;

use domain::text::FromText;
use form_urlencoded::parse;

/// Most fields of a form that are looked at: a family of many, each with every illness, has fewer.
const MOST: usize = 2000;

/// What is wrong with one field, in the customer's language.
pub(crate) struct Fault {
    /// The field's id in the page.
    pub(crate) field: String,
    /// What is wanted, as a sentence.
    pub(crate) message: String,
}

/// What was typed or was answered before, field by field, and what is wrong with it.
#[derive(Default)]
pub(crate) struct Form {
    typed: Vec<(String, String)>,
    faults: Vec<Fault>,
}

impl Form {
    /// The fields of a body or a query.
    pub(crate) fn of(encoded: &[u8]) -> Self {
        let typed = parse(encoded).take(MOST).map(|(name, value)| (name.into_owned(), value.into_owned()));
        Form { typed: typed.collect(), faults: Vec::new() }
    }

    /// Adds a value, as if it had been typed.
    pub(crate) fn put(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.typed.push((name.into(), value.into()));
    }

    /// What was typed into a field, trimmed; empty where nothing was.
    pub(crate) fn value(&self, name: &str) -> &str {
        self.typed.iter().find(|(typed, _)| typed == name).map_or("", |(_, value)| value.trim())
    }

    /// Everything that was ticked under a name.
    pub(crate) fn values<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        self.typed.iter().filter(move |(typed, _)| typed == name).map(|(_, value)| value.trim())
    }

    /// Whether a choice was ticked.
    pub(crate) fn is_ticked(&self, name: &str, value: &str) -> bool {
        self.values(name).any(|ticked| ticked == value)
    }

    /// Notes what is wrong with a field. The first fault of a field stays.
    pub(crate) fn blame(&mut self, field: impl Into<String>, message: impl Into<Cow<'static, str>>) {
        let field = field.into();
        if self.fault(&field).is_none() {
            self.faults.push(Fault { field, message: message.into().into_owned() });
        }
    }

    /// What is wrong with a field.
    pub(crate) fn fault(&self, field: &str) -> Option<&str> {
        self.faults.iter().find(|fault| fault.field == field).map(|fault| fault.message.as_str())
    }

    /// Everything that is wrong, in the order of the fields.
    pub(crate) fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Whether nothing is wrong.
    pub(crate) fn is_good(&self) -> bool {
        self.faults.is_empty()
    }

    /// Reads a field that must be there.
    pub(crate) fn read<T: FromText>(
        &mut self,
        name: &str,
        wanted: impl Into<Cow<'static, str>>,
    ) -> Option<T> {
        let read = match self.value(name) {
            "" => None,
            text => T::from_text(text).ok(),
        };
        if read.is_none() {
            self.blame(name, wanted);
        }
        read
    }

    /// Writes the digits of a field as 0 to 9, whichever keyboard they were typed on.
    pub(crate) fn in_plain_digits(&mut self, name: &str) {
        for (_, value) in self.typed.iter_mut().filter(|(typed, _)| typed == name) {
            *value = value.chars().map(plain_digit).collect();
        }
    }

    /// A whole number, where one was typed.
    pub(crate) fn whole_number(&self, name: &str) -> Option<u32> {
        let digits: String = self.value(name).chars().map(plain_digit).collect();
        let good = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| good)
    }

    /// Reads a field that may be left empty.
    pub(crate) fn read_if_there<T: FromText>(
        &mut self,
        name: &str,
        wanted: impl Into<Cow<'static, str>>,
    ) -> Option<T> {
        if self.value(name).is_empty() { None } else { self.read(name, wanted) }
    }
}

/// A digit of Devanagari as one of 0 to 9; whatever else it is, as it is.
fn plain_digit(c: char) -> char {
    match c {
        '०'..='९' => char::from_digit(u32::from(c) - u32::from('०'), 10).unwrap_or(c),
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_is_found_by_its_name() {
        let form = Form::of("a=+1+&b=x%26y&b=%E0%A4%B9&c".as_bytes());
        assert_eq!(form.value("a"), "1");
        assert_eq!(form.values("b").collect::<Vec<_>>(), ["x&y", "ह"]);
        assert!(form.is_ticked("b", "ह") && !form.is_ticked("b", "x"));
        assert_eq!(form.value("c"), "");
        assert_eq!(form.value("d"), "");
    }

    #[test]
    fn digits_of_a_hindi_keyboard_are_digits() {
        let mut form = Form::of("age=३४&pincode=५६००३८&bad=३x".as_bytes());
        assert_eq!(form.whole_number("age"), Some(34));
        assert_eq!(form.whole_number("bad"), None);
        form.in_plain_digits("pincode");
        assert_eq!(form.value("pincode"), "560038");
    }

    #[test]
    fn the_first_fault_of_a_field_stays() {
        let mut form = Form::default();
        form.blame("a", "first");
        form.blame("a", "second");
        assert_eq!(form.fault("a"), Some("first"));
        assert_eq!(form.faults().len(), 1);
    }
}
