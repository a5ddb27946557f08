//! Protocol values that must be JSON objects. Without this check, a derived `Deserialize` also accepts a list
//! of the fields' values.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Value that was parsed from a JSON object.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(ObjectVisitor(PhantomData)).map(Object)
    }
}

/// Parses an optional list of JSON objects.
pub(crate) fn optional_list<'de, T, D>(from: D) -> Result<Option<Vec<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let objects = Option::<Vec<Object<T>>>::deserialize(from)?;
    Ok(objects.map(|objects| objects.into_iter().map(|Object(value)| value).collect()))
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Pair {
        one: u8,
        other: u8,
    }

    #[test]
    fn a_json_list_is_refused_where_an_object_is_expected() {
        let read = |text| serde_json::from_str::<Object<Pair>>(text).map(|Object(pair)| pair);
        assert_eq!(read(r#"{"other": 2, "one": 1}"#).expect("an object"), Pair { one: 1, other: 2 });
        let fault = read("[1, 2]").expect_err("a list");
        assert!(fault.is_data() && fault.line() == 1, "{fault}");
    }
}
