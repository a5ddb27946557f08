//! Form fields. Each field connects its label, hint, error and control, for screen readers.

use askama::Template;
use askama::filters::HtmlSafe;
use domain::vocabulary;

use super::form::Form;

/// A form field.
#[derive(Template)]
#[template(path = "journey/field.html")]
pub(crate) struct Field {
    id: String,
    label: String,
    hint: String,
    error: String,
    control: Control,
}

/// This is safe because the field's template escapes all texts.
impl HtmlSafe for Field {}

/// HTML control of a form field.
enum Control {
    /// Input for one line of text.
    Text { value: String, attributes: &'static str },
    /// Drop-down list. `open` is the text of the entry for no choice.
    List { options: Vec<Choice>, open: String },
    /// Several choices that are all visible: radio buttons or check boxes.
    Group { kind: GroupKind, options: Vec<Choice> },
    /// Separate inputs for day, month and year.
    Date { inputs: Vec<DateInput> },
}

/// A choice in a list or group.
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) hint: String,
    chosen: bool,
}

vocabulary! {
    /// How many choices of a group the customer can select. The word is the `type` of the HTML inputs.
    GroupKind, "one of radio, checkbox" {
        /// At most one choice.
        Radio = "radio",
        /// Any number of choices.
        Boxes = "checkbox",
    }
}

vocabulary! {
    /// Part of a date. The word is the last part of the input's name.
    DatePart, "one of day, month, year" {
        /// Day of the month.
        Day = "day",
        /// Number of the month.
        Month = "month",
        /// Year, with four digits.
        Year = "year",
    }
}

/// Input for a part of a date.
struct DateInput {
    part: DatePart,
    label: &'static str,
    value: String,
    autocomplete: &'static str,
}

impl DatePart {
    /// Name of the input for this part of the date in the field `id`.
    pub(crate) fn of(self, id: &str) -> String {
        format!("{id}-{self}")
    }
}

/// HTML attributes of a field for digits.
pub(crate) const DIGITS: &str = r#"inputmode="numeric" autocomplete="off" class="short""#;

impl Choice {
    pub(crate) fn of(value: impl Into<String>, label: impl Into<String>) -> Self {
        Choice { value: value.into(), label: label.into(), hint: String::new(), chosen: false }
    }

    /// Adds a hint to the choice.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

impl Field {
    fn of(form: &Form, id: &str, label: impl Into<String>, control: Control) -> Self {
        let error = form.error(id).unwrap_or_default().to_owned();
        Field { id: id.to_owned(), label: label.into(), hint: String::new(), error, control }
    }

    /// A field with one line of text. `attributes` are written into the page unescaped.
    pub(crate) fn text(
        form: &Form,
        id: impl AsRef<str>,
        label: impl Into<String>,
        attributes: &'static str,
    ) -> Self {
        let id = id.as_ref();
        Field::of(form, id, label, Control::Text { value: form.value(id).to_owned(), attributes })
    }

    /// A drop-down list. `open` is the text of the entry for no choice.
    pub(crate) fn list(
        form: &Form,
        id: impl AsRef<str>,
        label: impl Into<String>,
        open: impl Into<String>,
        options: Vec<Choice>,
    ) -> Self {
        let id = id.as_ref();
        let options = chosen(form, id, options);
        Field::of(form, id, label, Control::List { options, open: open.into() })
    }

    /// A group in which the customer selects one choice. Only an earlier answer is preselected.
    pub(crate) fn radio(
        form: &Form,
        id: impl AsRef<str>,
        label: impl Into<String>,
        options: Vec<Choice>,
    ) -> Self {
        let id = id.as_ref();
        Field::of(
            form,
            id,
            label,
            Control::Group { kind: GroupKind::Radio, options: chosen(form, id, options) },
        )
    }

    /// A group in which the customer selects any number of choices.
    pub(crate) fn boxes(
        form: &Form,
        id: impl AsRef<str>,
        label: impl Into<String>,
        options: Vec<Choice>,
    ) -> Self {
        let id = id.as_ref();
        Field::of(
            form,
            id,
            label,
            Control::Group { kind: GroupKind::Boxes, options: chosen(form, id, options) },
        )
    }

    /// A date in three inputs, because phones fill them in faster than a calendar of ninety years. `labels`
    /// are for day, month and year. If `is_own`, browsers may fill in the customer's own date of birth.
    pub(crate) fn date(
        form: &Form,
        id: impl AsRef<str>,
        label: impl Into<String>,
        labels: [&'static str; 3],
        is_own: bool,
    ) -> Self {
        let id = id.as_ref();
        let [day, month, year] = labels;
        let input = |part: DatePart, label: &'static str, own: &'static str| DateInput {
            value: form.value(part.of(id)).to_owned(),
            part,
            label,
            autocomplete: if is_own { own } else { "off" },
        };
        let inputs = vec![
            input(DatePart::Day, day, "bday-day"),
            input(DatePart::Month, month, "bday-month"),
            input(DatePart::Year, year, "bday-year"),
        ];
        Field::of(form, id, label, Control::Date { inputs })
    }

    /// Adds a hint to the field.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// HTML attribute that connects hint and error to the control, for screen readers.
    fn described(&self) -> String {
        let hint = (!self.hint.is_empty()).then(|| format!("{}-hint", self.id));
        let error = (!self.error.is_empty()).then(|| format!("{}-fault", self.id));
        let ids = hint.into_iter().chain(error).collect::<Vec<_>>().join(" ");
        if ids.is_empty() { ids } else { format!(r#" aria-describedby="{ids}""#) }
    }

    /// HTML of the field's hint and error.
    fn notes(&self) -> String {
        Notes { id: &self.id, hint: &self.hint, error: &self.error }.render().unwrap_or_default()
    }
}

/// Hint and error of a field. The page shows them between label and control.
#[derive(Template)]
#[template(path = "journey/notes.html")]
struct Notes<'f> {
    id: &'f str,
    hint: &'f str,
    error: &'f str,
}

fn chosen(form: &Form, id: &str, mut options: Vec<Choice>) -> Vec<Choice> {
    for option in &mut options {
        option.chosen = form.is_checked(id, &option.value);
    }
    options
}
