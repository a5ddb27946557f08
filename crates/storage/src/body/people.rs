//! Encoding of personal details in bodies.

use domain::bank::Ifsc;
use domain::context::{Context, ContextEntry};
use domain::money::Rupees;
use domain::person::{
    Address, Appointee, Document, Email, FormResponses, HomePincode, Income, Mobile, Name, Nominee, Person,
    PersonalLine, Phone, Pincode, PlatformId, PrintedLine, Share,
};
use rust_decimal::Decimal;

use super::record::record;
use super::stored::{RecordFields, Stored, write_all};
use super::wire::{Reader, Unreadable, Writer};

/// Implements `Stored` for personal text. Writing reveals the text, because the body is encrypted afterwards.
/// Reading does not validate the text again.
macro_rules! personal {
    ($($name:ident),*) => { $(
        impl Stored for $name {
            fn write(&self, to: &mut Writer) {
                to.text(self.reveal());
            }

            fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
                from.text().map(|text| $name::kept(text.to_owned()))
            }
        }
    )* };
}
personal!(PersonalLine, Email, FormResponses, HomePincode, Ifsc, Mobile, Pincode, PlatformId, PrintedLine);

/// Written as a record of the document's type and number.
impl Stored for Document {
    fn write(&self, to: &mut Writer) {
        to.list(2);
        self.kind().write(to);
        to.text(self.reveal());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let mut fields = RecordFields::read(from)?;
        let read = Document::kept(fields.required(from, 0)?, fields.required(from, 1)?);
        fields.end(from)?;
        Ok(read)
    }
}

impl Stored for Income {
    fn write(&self, to: &mut Writer) {
        self.reveal().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Rupees::read(from).map(Income::of)
    }
}

impl Stored for Share {
    fn write(&self, to: &mut Writer) {
        self.as_percent().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Share::percent(Decimal::read(from)?).ok_or(Unreadable::Damaged)
    }
}

/// Written as a record of the entry's key and values.
impl Stored for ContextEntry {
    fn write(&self, to: &mut Writer) {
        to.list(2);
        to.text(self.key());
        write_all(self.reveal(), to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let mut fields = RecordFields::read(from)?;
        let key: String = fields.required(from, 0)?;
        let read = ContextEntry::new(key, fields.required(from, 1)?);
        fields.end(from)?;
        Ok(read)
    }
}

impl Stored for Context {
    fn write(&self, to: &mut Writer) {
        write_all(self.entries(), to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Vec::read(from).map(Context::of)
    }
}

record! {
    Address { 0: line_1, 1: line_2, 2: line_3, 3: city, 4: state, 5: country, 6: pincode }
    Name { 0: title, 1: first, 2: middle, 3: last }
    Phone { 0: country_code, 1: mobile }
    Person {
        0: name, 1: email, 2: phone, 3: born, 4: address, 5: nationality, 6: gender, 7: marital_status,
        8: annual_income, 9: occupation, 10: organization, 11: education, 12: employer, 13: documents,
    }
    Appointee { 0: name, 1: relationship, 2: born, 3: phone, 4: address, 5: documents }
    Nominee {
        0: name, 1: born, 2: phone, 3: relationship, 4: address, 5: share, 6: documents, 7: appointee,
    }
}
