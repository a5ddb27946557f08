//! Versions of bodies: the version that is written, and the older versions that are still read.

use ports::storage::Result;

use super::stored::Stored;
use super::wire::{Reader, Unreadable, Writer};

/// Content of an encrypted column. The macro `bodies!` implements this trait. `body/mod.rs` lists all kinds
/// of bodies.
pub(crate) trait StoredBody: Stored {
    /// Version in which bodies are written.
    const VERSION: u8;

    /// Reads the bytes that follow the version byte. Each older version has its own struct.
    ///
    /// # Errors
    /// [`Unreadable::Newer`] for a version above [`StoredBody::VERSION`].
    fn read_version(version: u8, from: &mut Reader<'_>) -> Result<Self, Unreadable>;
}

/// Writes a body in its newest version: one byte of version, then one item.
pub(crate) fn encode<T: StoredBody>(body: &T) -> Vec<u8> {
    let mut to = Writer::after(&[T::VERSION]);
    body.write(&mut to);
    to.into_bytes()
}

/// Reads a body of any version up to the newest. RecordFields that this program does not know are skipped.
///
/// # Errors
/// [`ports::storage::StorageError::Away`] if a newer program wrote the body with a version or enum variant
/// that this program does not know; [`ports::storage::StorageError::Damaged`] for any other fault, such as
/// bytes after the end of the body.
pub(crate) fn decode<T: StoredBody>(bytes: &[u8]) -> Result<T> {
    Ok(read(bytes)?.0)
}

/// Like [`decode`]. Also returns whether a value was skipped, because this program does not know it.
pub(super) fn read<T: StoredBody>(bytes: &[u8]) -> Result<(T, bool), Unreadable> {
    let (version, item) = bytes.split_first().ok_or(Unreadable::Damaged)?;
    let mut from = Reader::new(item);
    let body = T::read_version(*version, &mut from)?;
    if from.is_at_end() { Ok((body, from.has_skipped())) } else { Err(Unreadable::Damaged) }
}

/// Kind of body. A test requires an example of each kind.
#[cfg(test)]
pub(super) struct BodyKind {
    /// Name of the kind. The file names of its examples begin with this name.
    pub(super) name: &'static str,
    /// Every version that this program can read, the newest first.
    pub(super) versions: &'static [u8],
    /// Reads a body and writes it again in the newest version.
    pub(super) rewrite: fn(&[u8]) -> Result<Vec<u8>>,
}

/// Lists kinds of bodies: name, type and version. Older versions follow, each with its own struct, which
/// converts to the current type.
macro_rules! bodies {
    ($kinds:ident: $($name:ident: $body:ty, $version:literal $(, $older:literal = $before:ty)*;)*) => {
        $(impl $crate::body::version::StoredBody for $body {
            const VERSION: u8 = $version;

            #[deny(unreachable_patterns)]
            fn read_version(
                version: u8,
                from: &mut $crate::body::wire::Reader<'_>,
            ) -> Result<Self, $crate::body::wire::Unreadable> {
                match version {
                    $version => $crate::body::stored::Stored::read(from),
                    $($older => <$before as $crate::body::stored::Stored>::read(from).map(Into::into),)*
                    _ if version > $version => Err($crate::body::wire::Unreadable::Newer),
                    _ => Err($crate::body::wire::Unreadable::Damaged),
                }
            }
        })*

        #[cfg(test)]
        const $kinds: &[$crate::body::version::BodyKind] = &[$($crate::body::version::BodyKind {
            name: stringify!($name),
            versions: &[$version $(, $older)*],
            rewrite: |bytes| $crate::body::version::decode::<$body>(bytes)
                .map(|body| $crate::body::version::encode(&body)),
        }),*];
    };
}
pub(crate) use bodies;

#[cfg(test)]
mod tests {
    use ports::storage::StorageError;

    use super::super::record::record;
    use super::{decode, encode};

    /// Version 1: the name is one field.
    struct PersonV1 {
        name: String,
    }

    /// Version 2: first name and surname are separate fields.
    #[derive(Debug, PartialEq)]
    struct Person {
        first: String,
        surname: Option<String>,
    }

    impl From<PersonV1> for Person {
        fn from(PersonV1 { name }: PersonV1) -> Self {
            match name.split_once(' ') {
                Some((first, surname)) => Person { first: first.into(), surname: Some(surname.into()) },
                None => Person { first: name, surname: None },
            }
        }
    }

    /// Body as the older program wrote it.
    struct PersonThen(PersonV1);

    record! {
        PersonV1 { 0: name }
        Person { 0: first, 1: surname }
    }

    mod then {
        use super::super::super::stored::Stored;
        use super::super::super::wire::{Reader, Unreadable, Writer};
        use super::{PersonThen, PersonV1};

        impl Stored for PersonThen {
            fn write(&self, to: &mut Writer) {
                self.0.write(to);
            }

            fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
                PersonV1::read(from).map(PersonThen)
            }
        }
        super::super::bodies! { KINDS: person: PersonThen, 1; }

        #[test]
        fn a_body_kind_with_only_one_version_lists_that_version() {
            assert_eq!(KINDS[0].versions, [1]);
        }
    }
    super::bodies! { KINDS: person: Person, 2, 1 = PersonV1; }

    #[test]
    fn a_body_of_an_older_version_is_read_and_rewritten_in_the_newest_version() {
        let then = encode(&PersonThen(PersonV1 { name: "Asha Rao".into() }));
        let now = Person { first: "Asha".into(), surname: Some("Rao".into()) };
        assert_eq!(decode::<Person>(&then).expect("readable"), now);
        let kind = &KINDS[0];
        assert_eq!((kind.name, kind.versions), ("person", &[2, 1][..]));
        assert_eq!((kind.rewrite)(&then).expect("readable"), encode(&now));
    }

    #[test]
    fn a_higher_version_means_a_newer_program_and_other_wrong_bytes_mean_damage() {
        let now = encode(&Person { first: "Asha".into(), surname: None });
        assert!(matches!(decode::<PersonThen>(&now), Err(StorageError::Away(_))));
        let mut wrong = now.clone();
        wrong[0] = 0;
        assert!(matches!(decode::<Person>(&wrong), Err(StorageError::Damaged(_))));
        let mut longer = now.clone();
        longer.push(0);
        assert!(matches!(decode::<Person>(&longer), Err(StorageError::Damaged(_))));
        for length in 0..now.len() {
            assert!(matches!(decode::<Person>(&now[..length]), Err(StorageError::Damaged(_))), "{length}");
        }
    }
}
