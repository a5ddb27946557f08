//! What the details page asks: read from a form, and written into one again.

use domain::date::{BirthDate, Date};
use domain::health_proposal::{
    BankAccount, FamilyMember, HealthForm, HealthNominee, HealthProposer, HomeAddress, Ifsc, InsuredMember,
    relationship_word,
};
use domain::health_quote::Relation;
use domain::journey::Answers;
use domain::person::{ADULT_AGE, Address, Email, HomePincode, IndianMobile, PersonalLine, Pincode};

use super::form::Form;
use super::person;
use super::words::Words;

/// Oldest that anybody is.
const OLDEST: i16 = 120;

/// The words under which reads show genders.
pub(crate) const GENDERS: [&str; 3] = ["FEMALE", "MALE", "OTHER"];

/// The words under which reads show what a nominee is to the proposer.
pub(crate) const NOMINEES: [&str; 8] =
    ["SPOUSE", "FATHER", "MOTHER", "SON", "DAUGHTER", "BROTHER", "SISTER", "OTHER"];

/// The fields of the member at a place: of the proposer's own person nothing is asked twice.
pub(crate) fn member(at: usize, field: &str) -> String {
    format!("member-{at}-{field}")
}

/// The whole form, when nothing is wrong with it. Whatever is wrong is noted in it.
pub(crate) fn read(
    words: Words,
    form: &mut Form,
    family: &[FamilyMember],
    today: Date,
) -> Option<HealthForm> {
    let own = words.you();
    for digits in ["mobile", "pincode", "nominee-mobile", "account"] {
        form.in_plain_digits(digits);
    }
    let name = form.read::<PersonalLine>("name", words.full_name_wanted(&own));
    let born = birth_date(words, form, "born", &own, today);
    if born.is_some_and(|born| born.age_on(today) < ADULT_AGE) {
        form.blame("born", words.adult_wanted());
    }
    let gender = gender(words, form, "gender", &own);
    let phone = form.read::<IndianMobile>("mobile", words.mobile_wanted());
    let email = form.read::<Email>("email", words.email_wanted());
    let address = address(words, form);
    let own_born = born;
    let members: Vec<Option<InsuredMember>> = family
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let called = person::name(words, family, at);
            let asked_before = one.member.relation == Relation::Own;
            let (name, born, gender) = if asked_before {
                (name.clone(), born, gender.clone())
            } else {
                let id = member(at, "name");
                (
                    form.read(&id, words.full_name_wanted(&called)),
                    birth_date(words, form, &member(at, "born"), &called, today),
                    self::gender(words, form, &member(at, "gender"), &called),
                )
            };
            contradictions(words, form, at, one.member.relation, &called, (own_born, born), gender.as_ref());
            let illnesses = one.illnesses.iter().map(|id| PersonalLine::kept(id.clone())).collect();
            let relationship = relationship_word(one.member.relation);
            Some(InsuredMember { name: name?, born: born?, gender: gender?, relationship, illnesses })
        })
        .collect();
    let nominee = nominee(words, form);
    let bank = bank(words, form);
    if !form.is_good() {
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
        gender: gender?,
        members: members.into_iter().collect::<Option<_>>()?,
        nominee: nominee?,
    })
}

/// What cannot be of a person who is this to the proposer: most often one is taken for another.
fn contradictions(
    words: Words,
    form: &mut Form,
    at: usize,
    relation: Relation,
    called: &str,
    (own_born, born): (Option<BirthDate>, Option<BirthDate>),
    gender: Option<&PersonalLine>,
) {
    let other_gender = match relation {
        Relation::Father | Relation::Son => "FEMALE",
        Relation::Mother | Relation::Daughter => "MALE",
        Relation::Own | Relation::Spouse => "",
    };
    if gender.is_some_and(|gender| gender.reveal() == other_gender) {
        form.blame(member(at, "gender"), words.gender_contradicts(called));
    }
    let (Some(own_born), Some(born)) = (own_born.map(BirthDate::reveal), born.map(BirthDate::reveal)) else {
        return;
    };
    match relation {
        Relation::Father | Relation::Mother if born >= own_born => {
            form.blame(member(at, "born"), words.older_wanted(called));
        }
        Relation::Daughter | Relation::Son if born <= own_born => {
            form.blame(member(at, "born"), words.younger_wanted(called));
        }
        _ => {}
    }
}

fn address(words: Words, form: &mut Form) -> Option<HomeAddress> {
    let line_1 = form.read("line-1", words.line_1_wanted());
    let line_2 = form.read_if_there("line-2", words.line_2_wanted());
    let city = form.read("city", words.city_wanted());
    let state = form.read("state", words.state_wanted());
    let country = form.read("country", words.country_wanted());
    let pincode = form.read::<HomePincode>("pincode", words.pincode_wanted());
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

fn nominee(words: Words, form: &mut Form) -> Option<HealthNominee> {
    let name = form.read("nominee-name", words.full_name_wanted(words.nominee_person()));
    let relation = NOMINEES.iter().find(|word| **word == form.value("nominee-relation"));
    if relation.is_none() {
        form.blame("nominee-relation", words.nominee_relation_wanted());
    }
    let phone = form.read_if_there::<IndianMobile>("nominee-mobile", words.mobile_wanted());
    let relationship = PersonalLine::kept((*relation?).to_owned());
    Some(HealthNominee { name: name?, relationship, phone: phone.map(|phone| phone.0) })
}

/// The account, where any of it was given: then number, IFSC and bank are wanted.
fn bank(words: Words, form: &mut Form) -> Option<BankAccount> {
    let given = ["account", "ifsc", "bank", "branch"].iter().any(|field| !form.value(field).is_empty());
    if !given {
        return None;
    }
    let number = form.value("account");
    if !(9..=18).contains(&number.len()) || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        form.blame("account", words.account_number_wanted());
    }
    let account_number = PersonalLine::kept(form.value("account").to_owned());
    let ifsc = form.read::<Ifsc>("ifsc", words.ifsc_wanted());
    let bank_name = form.read("bank", words.bank_name_wanted());
    let branch_name = form.read_if_there("branch", words.branch_name_wanted());
    let account_number = Some(account_number);
    Some(BankAccount { bank_id: None, account_number, bank_name, branch_id: None, branch_name, ifsc })
}

/// A day of birth in three parts.
fn birth_date(words: Words, form: &mut Form, id: &str, person: &str, today: Date) -> Option<BirthDate> {
    let part = |name: &str| form.whole_number(&format!("{id}-{name}"));
    let date = || {
        let (day, month, year) = (part("day")?, part("month")?, part("year")?);
        let date = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?);
        BirthDate::before(date.ok()?, today).ok()
    };
    let born = date();
    match born {
        None => form.blame(id, words.birth_wanted(person)),
        Some(born) if born.age_on(today) > OLDEST => {
            form.blame(id, words.born_too_long_ago(person));
            return None;
        }
        Some(_) => {}
    }
    born
}

fn gender(words: Words, form: &mut Form, id: &str, person: &str) -> Option<PersonalLine> {
    let gender = GENDERS.iter().find(|word| **word == form.value(id));
    if gender.is_none() {
        form.blame(id, words.gender_wanted(person));
    }
    gender.map(|word| PersonalLine::kept((*word).to_owned()))
}

/// What was filled in before, as if it had been typed; the pincode that prices were made for where nothing was.
pub(crate) fn form_of(answers: &Answers) -> Form {
    let mut form = Form::default();
    let Some(filled) = &answers.form else {
        if let Some(pincode) = &answers.pincode {
            form.put("pincode", pincode.reveal());
        }
        form.put("country", Address::default_country().reveal());
        return form;
    };
    let proposer = &filled.proposer;
    form.put("name", proposer.name.reveal());
    put_date(&mut form, "born", proposer.born);
    form.put("gender", filled.gender.reveal());
    form.put("mobile", proposer.phone.reveal());
    put_if(&mut form, "email", proposer.email.as_ref().map(Email::reveal));
    let address = &proposer.address;
    form.put("line-1", address.line_1.reveal());
    put_if(&mut form, "line-2", address.line_2.as_ref().map(PersonalLine::reveal));
    form.put("city", address.city.reveal());
    form.put("state", address.state.reveal());
    form.put("country", address.country.reveal());
    let pincode = answers.pincode.as_ref().map_or(address.pincode.reveal(), HomePincode::reveal);
    form.put("pincode", pincode);
    for (at, one) in answers.family.iter().enumerate() {
        let relation = relationship_word(one.member.relation);
        // Who is still covered keeps what was filled in, wherever it stands now.
        let nth =
            answers.family[..at].iter().filter(|other| other.member.relation == one.member.relation).count();
        let mut alike = filled.members.iter().filter(|member| member.relationship == relation);
        if let Some(known) = alike.nth(nth) {
            form.put(member(at, "name"), known.name.reveal());
            put_date(&mut form, &member(at, "born"), known.born);
            form.put(member(at, "gender"), known.gender.reveal());
        }
    }
    form.put("nominee-name", filled.nominee.name.reveal());
    form.put("nominee-relation", filled.nominee.relationship.reveal());
    put_if(&mut form, "nominee-mobile", filled.nominee.phone.as_ref().map(domain::person::Mobile::reveal));
    if let Some(bank) = &proposer.bank {
        put_if(&mut form, "account", bank.account_number.as_ref().map(PersonalLine::reveal));
        put_if(&mut form, "ifsc", bank.ifsc.as_ref().map(Ifsc::reveal));
        put_if(&mut form, "bank", bank.bank_name.as_ref().map(PersonalLine::reveal));
        put_if(&mut form, "branch", bank.branch_name.as_ref().map(PersonalLine::reveal));
    }
    form
}

fn put_if(form: &mut Form, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        form.put(name, value);
    }
}

fn put_date(form: &mut Form, id: &str, born: BirthDate) {
    let born = born.reveal();
    form.put(format!("{id}-day"), born.day().to_string());
    form.put(format!("{id}-month"), born.month().to_string());
    form.put(format!("{id}-year"), born.year().to_string());
}

/// Whether what was filled in is of the very people that are to be covered now, with their illnesses, and of the place
/// that prices were made for.
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
