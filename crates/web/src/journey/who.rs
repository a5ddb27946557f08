//! Page that asks for the people to cover.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use domain::health_proposal::FamilyMember;
use domain::health_quote::{Age, Member, Relation};
use domain::journey::Journey;
use domain::text::FromText;
use rust_decimal::Decimal;

use super::address::redirect;
use super::extract::{Submission, Unapplied, UnappliedSubmission};
use super::field::{Choice, DIGITS, Field};
use super::form::Form;
use super::frame::{Frame, render, render_invalid};
use super::step::Step;
use super::visitor::Visitor;
use super::words::Words;
use crate::app::App;
use crate::error::Result;

/// Relations that a family can have only once.
const ADULTS: [Relation; 4] = [Relation::Own, Relation::Spouse, Relation::Father, Relation::Mother];

/// Number of rows for children in a new form.
const CHILDREN: usize = 4;

/// Maximum number of rows for children in a form.
const MOST_CHILDREN: usize = 12;

/// Minimum age of an adult, in completed years.
const ADULT_AGE: u8 = 18;

#[derive(Template)]
#[template(path = "journey/who.html")]
struct WhoPage {
    frame: Frame,
    form: Form,
    adults: Vec<Field>,
    children: Vec<ChildRow>,
}

struct ChildRow {
    legend: String,
    kind: Field,
    age: Field,
    is_open: bool,
}

pub(crate) async fn get(Unapplied(visitor): Unapplied) -> Response {
    render(&visitor, &page(&visitor, form_of(&visitor.journey.answers.family)))
}

pub(crate) async fn post(
    State(app): State<App>,
    UnappliedSubmission(Submission { visitor, mut form, only_language }): UnappliedSubmission,
) -> Result<Response> {
    if only_language {
        return Ok(render(&visitor, &page(&visitor, form)));
    }
    let members = read(visitor.words, &mut form);
    if !form.is_valid() {
        return Ok(render_invalid(&visitor, &page(&visitor, form)));
    }
    let family = with_illnesses(&visitor.journey.answers.family, members);
    let change = |journey: &mut Journey| {
        if journey.answers.family != family {
            journey.answers.family.clone_from(&family);
            journey.answers.forget_quote();
        }
    };
    app.service.journeys.change(visitor.journey, change).await?;
    Ok(redirect(Step::HomeAndHealth))
}

fn page(visitor: &Visitor, form: Form) -> WhoPage {
    let words = visitor.words;
    let labels = [words.who.own_age, words.who.spouses_age, words.who.fathers_age, words.who.mothers_age];
    let adults =
        ADULTS.iter().zip(labels).map(|(relation, label)| Field::text(&form, relation.word(), label, DIGITS));
    let typed = (1..=MOST_CHILDREN).filter(|at| !form.value(child(*at)).is_empty()).max().unwrap_or(0);
    let rows = typed.max(CHILDREN);
    let children = (1..=rows).map(|at| {
        let choice = |(relation, label): (Relation, &str)| Choice::of(relation.word(), label);
        let kinds = [(Relation::Daughter, words.who.a_daughter), (Relation::Son, words.who.a_son)];
        let kinds = kinds.map(choice).into();
        let (kind, age) = (child(at), child_age(at));
        ChildRow {
            legend: (words.who.child)(at),
            is_open: at == 1
                || [&kind, &age].iter().any(|id| !form.value(id).is_empty() || form.error(id).is_some()),
            kind: Field::list(&form, &kind, words.who.son_or_daughter, words.form.choose_one, kinds),
            age: Field::text(&form, &age, words.who.age, DIGITS),
        }
    });
    let (adults, children) = (adults.collect(), children.collect());
    WhoPage { frame: Frame::of_form(visitor, Step::Who), adults, children, form }
}

fn child(at: usize) -> String {
    format!("child-{at}")
}

fn child_age(at: usize) -> String {
    format!("child-{at}-age")
}

/// Form filled in with the customer's earlier answers.
fn form_of(family: &[FamilyMember]) -> Form {
    let mut form = Form::default();
    let mut children = 0;
    for FamilyMember { member, .. } in family {
        let age = member.age.completed_years().to_string();
        if member.relation.may_repeat() {
            children += 1;
            form.put(child(children), member.relation.word());
            form.put(child_age(children), age);
        } else {
            form.put(member.relation.word(), age);
        }
    }
    form
}

/// Reads the family members, in the order of relations. Adds an error to the form for each invalid field.
fn read(words: &Words, form: &mut Form) -> Vec<Member> {
    let mut members = Vec::new();
    for relation in ADULTS {
        let person = words.relation(relation);
        let Some(age) = age(form, relation.word(), || (words.who.age_wanted)(person)) else { continue };
        if age < ADULT_AGE {
            form.add_error(relation.word(), (words.who.adult_age_wanted)(person));
        }
        members.push(member(relation, age));
    }
    let age_of = |members: &[Member], relation: Relation| {
        members.iter().find(|member| member.relation == relation).map(|member| member.age)
    };
    if let Some(own) = age_of(&members, Relation::Own) {
        for parent in [Relation::Father, Relation::Mother] {
            if age_of(&members, parent).is_some_and(|age| age.as_decimal() <= own.as_decimal()) {
                form.add_error(parent.word(), words.who.parents_older);
            }
        }
    }
    for at in 1..=MOST_CHILDREN {
        let called = (words.who.child)(at);
        let (kind, age_id) = (child(at), child_age(at));
        let relation = Relation::from_text(form.value(&kind)).ok().filter(|relation| relation.may_repeat());
        match (relation, age(form, &age_id, || (words.who.age_wanted)(&called))) {
            (Some(relation), Some(age)) => members.push(member(relation, age)),
            (None, Some(_)) => form.add_error(kind, (words.who.child_kind_wanted)(&called)),
            (Some(_), None) => form.add_error(age_id, (words.who.child_age_wanted)(&called)),
            (None, None) => {}
        }
    }
    if members.is_empty() && form.is_valid() {
        form.add_error(Relation::Own.word(), words.who.person_wanted);
    }
    members.sort_by_key(|member| member.relation);
    members
}

fn member(relation: Relation, age: u8) -> Member {
    Member { relation, age: Age::of(Decimal::from(age)).expect("0 to 120: read so") }
}

/// Age in completed years. `None` if the field is empty or invalid. If it is invalid, adds the error `wanted`
/// to the form.
fn age(form: &mut Form, id: &str, wanted: impl FnOnce() -> String) -> Option<u8> {
    if form.value(id).is_empty() {
        return None;
    }
    let age = form.whole_number(id).and_then(|age| u8::try_from(age).ok()).filter(|age| *age <= 120);
    if age.is_none() {
        form.add_error(id, wanted());
    }
    age
}

/// Gives each member the illnesses from the earlier answers. An earlier member with the same relation and age
/// counts as the same person. If there is none, an earlier member with the same relation does.
fn with_illnesses(before: &[FamilyMember], members: Vec<Member>) -> Vec<FamilyMember> {
    let mut before: Vec<&FamilyMember> = before.iter().collect();
    let mut illnesses_of: Vec<Option<Vec<String>>> = vec![None; members.len()];
    let same_person = |known: &Member, named: &Member| known == named;
    let same_relation = |known: &Member, named: &Member| known.relation == named.relation;
    for same in [same_person, same_relation] {
        for (member, illnesses) in members.iter().zip(&mut illnesses_of).filter(|(_, known)| known.is_none())
        {
            let at = before.iter().position(|known| same(&known.member, member));
            *illnesses = at.map(|at| before.remove(at).illnesses.clone());
        }
    }
    let with = |(member, illnesses): (Member, Option<Vec<String>>)| FamilyMember {
        illnesses: illnesses.unwrap_or_default(),
        member,
    };
    members.into_iter().zip(illnesses_of).map(with).collect()
}
