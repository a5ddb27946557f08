//! Form of the details page: reads a submitted form, and fills in a new form.

use domain::bank::{BankAccount, Ifsc};
use domain::date::{BirthDate, Date};
use domain::health_proposal::{
    FamilyMember, HealthForm, HealthNominee, HealthProposer, HomeAddress, InsuredMember, relationship_word,
};
use domain::health_quote::Relation;
use domain::journey::Answers;
use domain::person::{ADULT_AGE, Address, Email, HomePincode, IndianMobile, Mobile, PersonalLine, Pincode};
use domain::text::FromText;
use domain::vocabulary;
use service::line::certificate::can_print;

use super::field::DatePart;
use super::form::Form;
use super::people::{self, Gender, NomineeRelation};
use super::words::Words;

/// Maximum age that a date of birth may give, in years.
const OLDEST: i16 = 120;

vocabulary! {
    /// Name of a form field about the proposer, the nominee or the bank account. [`MemberField`] has the
    /// fields of other family members.
    DetailsField, "the name of a field" {
        /// Full name of the proposer.
        Name = "name",
        /// Date of birth of the proposer.
        Born = "born",
        /// Gender of the proposer.
        Gender = "gender",
        /// Mobile number of the proposer.
        Mobile = "mobile",
        /// E-mail address of the proposer.
        Email = "email",
        /// House and street of the proposer's address.
        Line1 = "line-1",
        /// Locality of the proposer's address.
        Line2 = "line-2",
        /// City, town or village of the proposer's address.
        City = "city",
        State = "state",
        Pincode = "pincode",
        Country = "country",
        /// Full name of the nominee.
        NomineeName = "nominee-name",
        /// Relationship of the nominee to the proposer.
        NomineeRelation = "nominee-relation",
        /// Mobile number of the nominee.
        NomineeMobile = "nominee-mobile",
        /// Number of the bank account for refunds.
        Account = "account",
        /// IFSC (branch code) of the bank account for refunds.
        Ifsc = "ifsc",
        /// Name of the bank that has the account for refunds.
        Bank = "bank",
        /// Branch of the bank that has the account for refunds.
        Branch = "branch",
    }
}

vocabulary! {
    /// Last part of the name of a family member's form field.
    MemberField, "the last part of a field's name" {
        /// Full name of the family member.
        Name = "name",
        /// Date of birth of the family member.
        Born = "born",
        Gender = "gender",
    }
}

/// Form fields of the bank account. If one is filled in, number, IFSC and bank are required.
pub(crate) const ACCOUNT_FIELDS: [DetailsField; 4] =
    [DetailsField::Account, DetailsField::Ifsc, DetailsField::Bank, DetailsField::Branch];

impl MemberField {
    /// Name of this form field for the family member at position `at`.
    pub(crate) fn of(self, at: usize) -> String {
        format!("member-{at}-{self}")
    }
}

impl AsRef<str> for DetailsField {
    fn as_ref(&self) -> &str {
        self.word()
    }
}

/// Reads the filled-in form. If it is invalid, adds errors to the form and returns `None`.
pub(crate) fn read(
    words: &Words,
    form: &mut Form,
    family: &[FamilyMember],
    today: Date,
) -> Option<HealthForm> {
    let own = words.people.you;
    for field in [DetailsField::Mobile, DetailsField::NomineeMobile] {
        form.normalize_digits(field);
    }
    for field in [DetailsField::Pincode, DetailsField::Account, DetailsField::Ifsc] {
        form.normalize_number(field);
    }
    let name = printed(words, form, DetailsField::Name, &(words.details.full_name_wanted)(own));
    let born = birth_date(words, form, DetailsField::Born, own, today);
    if born.is_some_and(|born| born.age_on(today) < ADULT_AGE) {
        form.add_error(DetailsField::Born, words.details.adult_wanted);
    }
    let gender = gender(words, form, DetailsField::Gender, own);
    let phone = form.required::<IndianMobile>(DetailsField::Mobile, words.details.mobile_wanted);
    let email = form.required::<Email>(DetailsField::Email, words.details.email_wanted);
    let address = address(words, form);
    let own_born = born;
    let members: Vec<Option<InsuredMember>> = family
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let called = people::name(words, family, at);
            let asked_before = one.member.relation == Relation::Own;
            let (name, born, gender) = if asked_before {
                (name.clone(), born, gender)
            } else {
                (
                    printed(
                        words,
                        form,
                        MemberField::Name.of(at),
                        &(words.details.full_name_wanted)(&called),
                    ),
                    birth_date(words, form, MemberField::Born.of(at), &called, today),
                    self::gender(words, form, MemberField::Gender.of(at), &called),
                )
            };
            note_contradictions(words, form, at, one.member.relation, &called, (own_born, born), gender);
            let illnesses = one.illnesses.iter().map(|id| PersonalLine::kept(id.clone())).collect();
            let relationship = relationship_word(one.member.relation);
            let gender = gender.map(kept_word);
            Some(InsuredMember { name: name?, born: born?, gender: gender?, relationship, illnesses })
        })
        .collect();
    let nominee = nominee(words, form);
    let bank = bank(words, form);
    if !form.is_valid() {
        return None;
    }
    Some(HealthForm {
        proposer: HealthProposer {
            name: name?,
            phone: phone?.0,
            born: born?,
            email: Some(email?),
            address: address?,
            bank,
        },
        gender: gender.map(kept_word)?,
        members: members.into_iter().collect::<Option<_>>()?,
        nominee: nominee?,
    })
}

/// Adds errors for impossible combinations, such as a mother who is younger than her child. The cause is
/// usually a mistyped field.
fn note_contradictions(
    words: &Words,
    form: &mut Form,
    at: usize,
    relation: Relation,
    called: &str,
    (own_born, born): (Option<BirthDate>, Option<BirthDate>),
    gender: Option<Gender>,
) {
    if gender.is_some() && gender == Gender::contradicting(relation) {
        form.add_error(MemberField::Gender.of(at), (words.details.gender_contradicts)(called));
    }
    let (Some(own_born), Some(born)) = (own_born.map(BirthDate::reveal), born.map(BirthDate::reveal)) else {
        return;
    };
    match relation {
        Relation::Father | Relation::Mother if born >= own_born => {
            form.add_error(MemberField::Born.of(at), (words.details.older_wanted)(called));
        }
        Relation::Daughter | Relation::Son if born <= own_born => {
            form.add_error(MemberField::Born.of(at), (words.details.younger_wanted)(called));
        }
        _ => {}
    }
}

/// Reads a line of text that the certificate's fonts can print. `wanted` is the error if the field is empty
/// or invalid.
fn printed(words: &Words, form: &mut Form, name: impl AsRef<str>, wanted: &str) -> Option<PersonalLine> {
    let line = form.required::<PersonalLine>(&name, wanted)?;
    is_printed(words, form, name, &line).then_some(line)
}

/// Whether the certificate's fonts can print `line`. If they cannot, adds an error to the form.
fn is_printed(words: &Words, form: &mut Form, name: impl AsRef<str>, line: &PersonalLine) -> bool {
    let is_printed = can_print(line.reveal());
    if !is_printed {
        form.add_error(name, words.details.script_wanted);
    }
    is_printed
}

fn address(words: &Words, form: &mut Form) -> Option<HomeAddress> {
    let line_1 = printed(words, form, DetailsField::Line1, words.details.line_1_wanted);
    let line_2 = form.optional::<PersonalLine>(DetailsField::Line2, words.details.line_2_wanted);
    let line_2 = line_2.filter(|line| is_printed(words, form, DetailsField::Line2, line));
    let city = printed(words, form, DetailsField::City, words.details.city_wanted);
    let state = printed(words, form, DetailsField::State, words.details.state_wanted);
    let country = printed(words, form, DetailsField::Country, words.details.country_wanted);
    let pincode = form.required::<HomePincode>(DetailsField::Pincode, words.home.pincode_wanted);
    let pincode = pincode.map(|pincode| Pincode::kept(pincode.reveal().to_owned()));
    Some(HomeAddress {
        line_1: line_1?,
        line_2,
        city: city?,
        state: state?,
        country: country?,
        pincode: pincode?,
    })
}

fn nominee(words: &Words, form: &mut Form) -> Option<HealthNominee> {
    let wanted = (words.details.full_name_wanted)(words.details.nominee_person);
    let name = printed(words, form, DetailsField::NomineeName, &wanted);
    let relation = NomineeRelation::from_text(form.value(DetailsField::NomineeRelation)).ok();
    if relation.is_none() {
        form.add_error(DetailsField::NomineeRelation, words.details.nominee_relation_wanted);
    }
    let phone = form.optional::<IndianMobile>(DetailsField::NomineeMobile, words.details.mobile_wanted);
    let relationship = kept_word(relation?);
    Some(HealthNominee { name: name?, relationship, phone: phone.map(|phone| phone.0) })
}

/// Reads the bank account, if one of its fields is filled in. Number, IFSC and bank are then required.
fn bank(words: &Words, form: &mut Form) -> Option<BankAccount> {
    let given = ACCOUNT_FIELDS.iter().any(|field| !form.value(field).is_empty());
    if !given {
        return None;
    }
    let number = form.value(DetailsField::Account);
    if !(9..=18).contains(&number.len()) || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        form.add_error(DetailsField::Account, words.details.account_number_wanted);
    }
    let account_number = PersonalLine::kept(form.value(DetailsField::Account).to_owned());
    let ifsc = form.required::<Ifsc>(DetailsField::Ifsc, words.details.ifsc_wanted);
    let bank_name = form.required(DetailsField::Bank, words.details.bank_name_wanted);
    let branch_name = form.optional(DetailsField::Branch, words.details.branch_name_wanted);
    let account_number = Some(account_number);
    Some(BankAccount { bank_id: None, account_number, bank_name, branch_id: None, branch_name, ifsc })
}

/// Reads a date of birth from its three inputs: day, month and year.
pub(crate) fn birth_date(
    words: &Words,
    form: &mut Form,
    id: impl AsRef<str>,
    person: &str,
    today: Date,
) -> Option<BirthDate> {
    let id = id.as_ref();
    let number = |part: DatePart| form.whole_number(part.of(id));
    let date = || {
        let (day, month, year) = (number(DatePart::Day)?, number(DatePart::Month)?, number(DatePart::Year)?);
        let date = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?);
        BirthDate::before(date.ok()?, today).ok()
    };
    let born = date();
    match born {
        None => form.add_error(id, (words.details.birth_wanted)(person)),
        Some(born) if born.age_on(today) > OLDEST => {
            form.add_error(id, (words.details.born_too_long_ago)(person));
            return None;
        }
        Some(_) => {}
    }
    born
}

fn gender(words: &Words, form: &mut Form, id: impl AsRef<str>, person: &str) -> Option<Gender> {
    let gender = Gender::from_text(form.value(&id)).ok();
    if gender.is_none() {
        form.add_error(id, (words.details.gender_wanted)(person));
    }
    gender
}

/// Form filled in with earlier values. If there are none, it has the pincode of the quote, and India as
/// country.
pub(crate) fn form_of(answers: &Answers) -> Form {
    let mut form = Form::default();
    let Some(filled) = &answers.form else {
        if let Some(pincode) = &answers.pincode {
            form.put(DetailsField::Pincode, pincode.reveal());
        }
        form.put(DetailsField::Country, Address::default_country().reveal());
        return form;
    };
    let proposer = &filled.proposer;
    form.put(DetailsField::Name, proposer.name.reveal());
    put_date(&mut form, DetailsField::Born, proposer.born);
    form.put(DetailsField::Gender, filled.gender.reveal());
    form.put(DetailsField::Mobile, proposer.phone.reveal());
    put_if(&mut form, DetailsField::Email, proposer.email.as_ref().map(Email::reveal));
    let address = &proposer.address;
    form.put(DetailsField::Line1, address.line_1.reveal());
    put_if(&mut form, DetailsField::Line2, address.line_2.as_ref().map(PersonalLine::reveal));
    form.put(DetailsField::City, address.city.reveal());
    form.put(DetailsField::State, address.state.reveal());
    form.put(DetailsField::Country, address.country.reveal());
    let pincode = answers.pincode.as_ref().map_or(address.pincode.reveal(), HomePincode::reveal);
    form.put(DetailsField::Pincode, pincode);
    for (at, one) in answers.family.iter().enumerate() {
        let relation = relationship_word(one.member.relation);
        // A member who is still covered keeps the earlier values, even at another position.
        let nth =
            answers.family[..at].iter().filter(|other| other.member.relation == one.member.relation).count();
        let mut alike = filled.members.iter().filter(|member| member.relationship == relation);
        if let Some(known) = alike.nth(nth) {
            form.put(MemberField::Name.of(at), known.name.reveal());
            put_date(&mut form, MemberField::Born.of(at), known.born);
            form.put(MemberField::Gender.of(at), known.gender.reveal());
        }
    }
    form.put(DetailsField::NomineeName, filled.nominee.name.reveal());
    form.put(DetailsField::NomineeRelation, filled.nominee.relationship.reveal());
    put_if(&mut form, DetailsField::NomineeMobile, filled.nominee.phone.as_ref().map(Mobile::reveal));
    if let Some(bank) = &proposer.bank {
        put_if(&mut form, DetailsField::Account, bank.account_number.as_ref().map(PersonalLine::reveal));
        put_if(&mut form, DetailsField::Ifsc, bank.ifsc.as_ref().map(Ifsc::reveal));
        put_if(&mut form, DetailsField::Bank, bank.bank_name.as_ref().map(PersonalLine::reveal));
        put_if(&mut form, DetailsField::Branch, bank.branch_name.as_ref().map(PersonalLine::reveal));
    }
    form
}

/// A word such as `FEMALE`, in the type in which it is stored.
fn kept_word(word: impl std::fmt::Display) -> PersonalLine {
    PersonalLine::kept(word.to_string())
}

fn put_if(form: &mut Form, name: DetailsField, value: Option<&str>) {
    if let Some(value) = value {
        form.put(name, value);
    }
}

fn put_date(form: &mut Form, id: impl AsRef<str>, born: BirthDate) {
    let id = id.as_ref();
    let born = born.reveal();
    form.put(DatePart::Day.of(id), born.day().to_string());
    form.put(DatePart::Month.of(id), born.month().to_string());
    form.put(DatePart::Year.of(id), born.year().to_string());
}

/// Whether a filled-in form still fits the customer's answers: same people, same illnesses, and the pincode
/// of the quote.
pub(crate) fn is_of(form: &HealthForm, answers: &Answers) -> bool {
    let same_person = |(filled, one): (&InsuredMember, &FamilyMember)| {
        filled.relationship == relationship_word(one.member.relation)
            && filled.illnesses.iter().map(PersonalLine::reveal).eq(one.illnesses.iter().map(String::as_str))
    };
    let same_place = answers
        .pincode
        .as_ref()
        .is_some_and(|pincode| pincode.reveal() == form.proposer.address.pincode.reveal());
    same_place
        && form.members.len() == answers.family.len()
        && form.members.iter().zip(&answers.family).all(same_person)
}
