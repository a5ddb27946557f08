//! Who is to be covered.

use std::borrow::Cow;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use domain::health_proposal::FamilyMember;
use domain::health_quote::{Age, Member, Relation};
use rust_decimal::Decimal;

use super::field::{Choice, DIGITS, Field};
use super::form::Form;
use super::frame::{Frame, shown, shown_again};
use super::lead_to;
use super::visitor::{Sent, SentOnTheWay, Traveller, Visitor};
use super::words::Words;
use crate::app::App;
use crate::error::Problem;

/// Those of whom there is at most one.
const ADULTS: [Relation; 4] = [Relation::Own, Relation::Spouse, Relation::Father, Relation::Mother];

/// Children that are asked for without anybody having to say so.
const CHILDREN: usize = 4;

/// Children that a form may have.
const MOST_CHILDREN: usize = 12;

/// Youngest adult who is asked for here.
const ADULT: u8 = 18;

#[derive(Template)]
#[template(path = "journey/who.html")]
struct WhoPage {
    frame: Frame,
    form: Form,
    adults: Vec<Field>,
    children: Vec<ChildRow>,
}

struct ChildRow {
    legend: Cow<'static, str>,
    kind: Field,
    age: Field,
    is_open: bool,
}

pub(crate) async fn get(Traveller(visitor): Traveller) -> Response {
    shown(&visitor, &page(&visitor, form_of(&visitor.journey.answers.family)))
}

pub(crate) async fn post(
    State(app): State<App>,
    SentOnTheWay(Sent { visitor, mut form, only_language }): SentOnTheWay,
) -> Result<Response, Problem> {
    if only_language {
        return Ok(shown(&visitor, &page(&visitor, form)));
    }
    let members = read(visitor.words, &mut form);
    if !form.is_good() {
        return Ok(shown_again(&visitor, &page(&visitor, form)));
    }
    let family = with_illnesses(&visitor.journey.answers.family, members);
    let change = |journey: &mut domain::journey::Journey| {
        if journey.answers.family != family {
            journey.answers.family.clone_from(&family);
            journey.answers.forget_quote();
        }
    };
    app.service.change_journey(visitor.journey, change).await?;
    Ok(lead_to("place"))
}

fn page(visitor: &Visitor, form: Form) -> WhoPage {
    let words = visitor.words;
    let labels = [words.own_age(), words.spouses_age(), words.fathers_age(), words.mothers_age()];
    let adults =
        ADULTS.iter().zip(labels).map(|(relation, label)| Field::text(&form, relation.word(), label, DIGITS));
    let typed = (1..=MOST_CHILDREN).filter(|at| !form.value(&child(*at)).is_empty()).max().unwrap_or(0);
    let rows = typed.max(CHILDREN);
    let children = (1..=rows).map(|at| {
        let kinds = vec![
            Choice::of(Relation::Daughter.word(), words.a_daughter()),
            Choice::of(Relation::Son.word(), words.a_son()),
        ];
        let (kind, age) = (child(at), child_age(at));
        ChildRow {
            legend: words.child(at),
            is_open: at == 1
                || [&kind, &age].iter().any(|id| !form.value(id).is_empty() || form.fault(id).is_some()),
            kind: Field::list(&form, &kind, words.son_or_daughter(), words.choose_one(), kinds),
            age: Field::text(&form, &age, words.age(), DIGITS),
        }
    });
    let (adults, children) = (adults.collect(), children.collect());
    WhoPage { frame: Frame::of(visitor, "who").asks(1, ""), adults, children, form }
}

fn child(at: usize) -> String {
    format!("child-{at}")
}

fn child_age(at: usize) -> String {
    format!("child-{at}-age")
}

/// What was answered before, as if it had been typed.
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

/// Who was named, in the order of relations. Whatever is wrong is noted in the form.
fn read(words: Words, form: &mut Form) -> Vec<Member> {
    let mut members = Vec::new();
    for relation in ADULTS {
        let person = words.relation(relation);
        let Some(age) = age(form, relation.word(), || words.age_wanted(&person)) else { continue };
        if age < ADULT {
            form.blame(relation.word(), words.adult_age_wanted(&person));
        }
        members.push(member(relation, age));
    }
    let age_of = |members: &[Member], relation: Relation| {
        members.iter().find(|member| member.relation == relation).map(|member| member.age)
    };
    if let Some(own) = age_of(&members, Relation::Own) {
        for parent in [Relation::Father, Relation::Mother] {
            if age_of(&members, parent).is_some_and(|age| age.as_decimal() <= own.as_decimal()) {
                form.blame(parent.word(), words.parents_older());
            }
        }
    }
    for at in 1..=MOST_CHILDREN {
        let called = words.child(at);
        let (kind, age_id) = (child(at), child_age(at));
        let relation = match form.value(&kind) {
            "daughter" => Some(Relation::Daughter),
            "son" => Some(Relation::Son),
            _ => None,
        };
        match (relation, age(form, &age_id, || words.age_wanted(&called))) {
            (Some(relation), Some(age)) => members.push(member(relation, age)),
            (None, Some(_)) => form.blame(kind, words.child_kind_wanted(&called)),
            (Some(_), None) => form.blame(age_id, words.child_age_wanted(&called)),
            (None, None) => {}
        }
    }
    if members.is_empty() && form.is_good() {
        form.blame(Relation::Own.word(), words.somebody_wanted());
    }
    members.sort_by_key(|member| member.relation);
    members
}

fn member(relation: Relation, age: u8) -> Member {
    Member { relation, age: Age::of(Decimal::from(age)).expect("0 to 120: read so") }
}

/// An age in completed years; a field that is empty is of nobody.
fn age(form: &mut Form, id: &str, wanted: impl FnOnce() -> Cow<'static, str>) -> Option<u8> {
    if form.value(id).is_empty() {
        return None;
    }
    let age = form.whole_number(id).and_then(|age| u8::try_from(age).ok()).filter(|age| *age <= 120);
    if age.is_none() {
        form.blame(id, wanted());
    }
    age
}

/// The people named now, with the illnesses that were told of the same people before: of the same age first, then of
/// whoever is left in the same relation.
fn with_illnesses(before: &[FamilyMember], members: Vec<Member>) -> Vec<FamilyMember> {
    let mut before: Vec<&FamilyMember> = before.iter().collect();
    let mut found: Vec<Option<Vec<String>>> = vec![None; members.len()];
    let same_person = |known: &Member, named: &Member| known == named;
    let same_relation = |known: &Member, named: &Member| known.relation == named.relation;
    for same in [same_person, same_relation] {
        for (member, illnesses) in members.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let at = before.iter().position(|known| same(&known.member, member));
            *illnesses = at.map(|at| before.remove(at).illnesses.clone());
        }
    }
    let with = |(member, illnesses): (Member, Option<Vec<String>>)| FamilyMember {
        illnesses: illnesses.unwrap_or_default(),
        member,
    };
    members.into_iter().zip(found).map(with).collect()
}
