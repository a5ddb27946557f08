//! Edits of JSON by value. Other input is edited as text.

use bolero::Driver;
use serde_json::{Map, Value, json};

use crate::examples::Choices;
use crate::text_edits::{self, ODD};

/// Applies one edit to JSON.
pub(crate) fn edited<D: Driver>(
    body: Vec<u8>,
    other: &[u8],
    choices: &mut Choices<'_, D>,
) -> Option<Vec<u8>> {
    let Ok(mut value) = serde_json::from_slice::<Value>(&body) else {
        return text_edits::edited(body, other, choices);
    };
    let place = choices.below(count(&value))?;
    let target = at(&mut value, place);
    match choices.below(9)? {
        0 => *target = odd(choices)?,
        1 => {
            let mut other: Value = serde_json::from_slice(other).unwrap_or_default();
            let place = choices.below(count(&other))?;
            *target = at(&mut other, place).take();
        }
        2 => remove(target, choices)?,
        3 => repeat(target, body.len(), choices)?,
        4 => rename(target, choices)?,
        5 => {
            let (depth, in_list) =
                (choices.one_of(&[1, 2, 5, 40, 126, 127, 128, 300])?, choices.below(2)? == 0);
            for _ in 0..*depth {
                let inner = target.take();
                *target = if in_list { json!([inner]) } else { json!({ "a": inner }) };
            }
        }
        6 => *target = retyped(target),
        7 => {
            if let Value::String(text) = target {
                let edited = text_edits::edited(text.clone().into_bytes(), other, choices)?;
                *text = String::from_utf8_lossy(&edited).into_owned();
            } else {
                *target = odd(choices)?;
            }
        }
        _ => {
            let odd = odd(choices)?;
            match target {
                Value::Array(items) => items.push(odd),
                Value::Object(fields) => drop(fields.insert((*choices.one_of(ODD)?).to_owned(), odd)),
                _ => *target = odd,
            }
        }
    }
    Some(value.to_string().into_bytes())
}

/// Value that JSON parsers often handle badly.
fn odd<D: Driver>(choices: &mut Choices<'_, D>) -> Option<Value> {
    Some(match choices.below(12)? {
        0 => Value::Null,
        1 => json!([]),
        2 => json!({}),
        3 => json!(true),
        4 => json!([null]),
        5 => json!([[], {}]),
        6 => json!(*choices.one_of(&[0_i64, 1, -1, i64::MAX, i64::MIN, 253_402_300_800, 1 << 53])?),
        7 => json!(*choices.one_of(&[0.5, -0.0, 1e15, 1e300, -1e-300, f64::MAX])?),
        8 => json!(u64::MAX),
        9 => json!("x".repeat(*choices.one_of(&[200, 5000])?)),
        _ => json!(*choices.one_of(ODD)?),
    })
}

/// Converts a value to another JSON type.
fn retyped(value: &Value) -> Value {
    match value {
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| json!({ text.as_str(): text })),
        Value::Array(items) => {
            items.iter().enumerate().map(|(at, item)| (at.to_string(), item.clone())).collect()
        }
        Value::Object(fields) => fields.values().cloned().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => json!(value.to_string()),
    }
}

fn remove<D: Driver>(value: &mut Value, choices: &mut Choices<'_, D>) -> Option<()> {
    match value {
        Value::Array(items) if !items.is_empty() => drop(items.remove(choices.below(items.len())?)),
        Value::Object(fields) if !fields.is_empty() => {
            let name = fields.keys().nth(choices.below(fields.len())?)?.clone();
            fields.remove(&name);
        }
        _ => *value = Value::Null,
    }
    Some(())
}

fn repeat<D: Driver>(value: &mut Value, size: usize, choices: &mut Choices<'_, D>) -> Option<()> {
    let times = choices.times(size)?;
    match value {
        Value::Array(items) if !items.is_empty() => {
            let item = items[choices.below(items.len())?].clone();
            items.extend(std::iter::repeat_n(item, times));
        }
        Value::Object(fields) if !fields.is_empty() => {
            let (name, inner) = fields.iter().nth(choices.below(fields.len())?)?;
            let more: Map<_, _> = (0..times).map(|at| (format!("{name}{at}"), inner.clone())).collect();
            fields.extend(more);
        }
        Value::String(text) => *text = text.repeat(times + 1),
        _ => *value = Value::Array(vec![value.clone(); times]),
    }
    Some(())
}

/// Renames a field.
fn rename<D: Driver>(value: &mut Value, choices: &mut Choices<'_, D>) -> Option<()> {
    let Value::Object(fields) = value else { return Some(()) };
    let names: Vec<String> = fields.keys().cloned().collect();
    if let Some(name) = choices.one_of(&names) {
        let inner = fields.remove(name)?;
        let to =
            if choices.below(2)? == 0 { choices.one_of(&names)?.as_str() } else { *choices.one_of(ODD)? };
        fields.insert(to.to_owned(), inner);
    }
    Some(())
}

/// Number of values in a value, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

/// Value at a place, counted depth first.
fn at(value: &mut Value, place: usize) -> &mut Value {
    if place == 0 {
        return value;
    }
    let mut left = place - 1;
    let inner: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    };
    for one in inner {
        let size = count(one);
        if left < size {
            return at(one, left);
        }
        left -= size;
    }
    unreachable!("a place is below the count of values")
}
