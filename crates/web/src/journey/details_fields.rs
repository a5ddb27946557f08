//! Form fields of the details page, by section.

use super::details_form::{DetailsField, MemberField};
use super::field::{Choice, Field};
use super::form::Form;
use super::people::{Gender, NomineeRelation};
use super::words::Words;

/// Form fields about the proposer.
pub(crate) fn own(words: &Words, form: &Form) -> Vec<Field> {
    let labels = &words.details;
    let mobile = r#"type="tel" autocomplete="tel-national" inputmode="tel" class="middle""#;
    let email = r#"type="email" autocomplete="email" inputmode="email""#;
    vec![
        Field::text(form, DetailsField::Name, labels.full_name, r#"autocomplete="name""#),
        date(words, form, DetailsField::Born, true),
        gender(words, form, DetailsField::Gender),
        Field::text(form, DetailsField::Mobile, labels.mobile, mobile).hint(labels.mobile_hint),
        Field::text(form, DetailsField::Email, labels.email, email),
    ]
}

/// Fields of the proposer's address.
pub(crate) fn address(words: &Words, form: &Form) -> Vec<Field> {
    let labels = &words.details;
    let text = |id: DetailsField, label: &str, attributes| Field::text(form, id, label, attributes);
    let line_2 = (words.form.optional)(labels.line_2);
    let pincode = r#"autocomplete="postal-code" inputmode="numeric" class="middle""#;
    vec![
        text(DetailsField::Line1, labels.line_1, r#"autocomplete="address-line1""#),
        text(DetailsField::Line2, &line_2, r#"autocomplete="address-line2""#),
        text(DetailsField::City, labels.city, r#"autocomplete="address-level2""#),
        text(DetailsField::State, labels.state, r#"autocomplete="address-level1""#),
        text(DetailsField::Pincode, words.home.pincode, pincode).hint(words.home.pincode_hint),
        text(DetailsField::Country, labels.country, r#"autocomplete="country-name""#),
    ]
}

pub(crate) fn nominee(words: &Words, form: &Form) -> Vec<Field> {
    let labels = &words.details;
    let mobile = (words.form.optional)(labels.nominee_mobile);
    let choice = |relation: &NomineeRelation| Choice::of(relation.word(), relation.name(words));
    let relations = NomineeRelation::ALL.iter().map(choice).collect();
    let (relation, open) = (labels.nominee_relation, words.form.choose_one);
    vec![
        Field::text(form, DetailsField::NomineeName, labels.full_name, NOT_FILLED_IN),
        Field::list(form, DetailsField::NomineeRelation, relation, open, relations),
        Field::text(
            form,
            DetailsField::NomineeMobile,
            mobile,
            r#"type="tel" autocomplete="off" inputmode="tel" class="middle""#,
        ),
    ]
}

/// Fields of the bank account for refunds.
pub(crate) fn bank(words: &Words, form: &Form) -> Vec<Field> {
    let labels = &words.details;
    let text = |id: DetailsField, label: &str, attributes| Field::text(form, id, label, attributes);
    let branch = (words.form.optional)(labels.branch_name);
    let number = r#"autocomplete="off" inputmode="numeric""#;
    let ifsc = r#"autocomplete="off" autocapitalize="characters" class="middle""#;
    vec![
        text(DetailsField::Account, labels.account_number, number),
        text(DetailsField::Ifsc, labels.ifsc, ifsc).hint(labels.ifsc_hint),
        text(DetailsField::Bank, labels.bank_name, NOT_FILLED_IN),
        text(DetailsField::Branch, &branch, NOT_FILLED_IN),
    ]
}

/// Form fields of a family member other than the proposer. `at` is the member's position in the family.
pub(crate) fn member(words: &Words, form: &Form, at: usize) -> Vec<Field> {
    vec![
        Field::text(form, MemberField::Name.of(at), words.details.full_name, NOT_FILLED_IN),
        date(words, form, MemberField::Born.of(at), false),
        gender(words, form, MemberField::Gender.of(at)),
    ]
}

/// HTML attributes for the name of another person. Browsers must not fill in the customer's own name.
const NOT_FILLED_IN: &str = r#"autocomplete="off""#;

/// Form field of a date of birth. If `is_own`, browsers may fill in the customer's own date of birth.
pub(crate) fn date(words: &Words, form: &Form, id: impl AsRef<str>, is_own: bool) -> Field {
    let labels = [words.details.birth_day, words.details.birth_month, words.details.birth_year];
    Field::date(form, id, words.details.birth_date, labels, is_own).hint(words.details.birth_hint)
}

fn gender(words: &Words, form: &Form, id: impl AsRef<str>) -> Field {
    let options = Gender::ALL.iter().map(|gender| Choice::of(gender.word(), gender.name(words)));
    Field::radio(form, id, words.details.gender, options.collect())
}
