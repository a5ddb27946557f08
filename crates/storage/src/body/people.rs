//! People in bodies.

use domain::context::{Context, ContextEntry};
use domain::money::Rupees;
use domain::person::{
    Address, Appointee, Document, DocumentType, Education, Email, FormResponses, Gender, HomePincode, Income,
    MaritalStatus, Mobile, Name, Nationality, Nominee, Occupation, Organization, Person, PersonalLine, Phone,
    Pincode, PlatformId, Relationship, Share, Title,
};
use rust_decimal::Decimal;

use super::codec::{Body, Damaged, record, words};

words!(
    Title,
    Gender,
    MaritalStatus,
    Occupation,
    Organization,
    Education,
    Nationality,
    DocumentType,
    Relationship
);

/// Personal text: revealed here to be sealed, and kept as it was judged.
macro_rules! personal {
    ($($name:ident),*) => { $(
        impl Body for $name {
            fn put(&self, to: &mut Vec<u8>) {
                self.reveal().to_owned().put(to);
            }

            fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
                String::take(from).map($name::kept)
            }
        }
    )* };
}
personal!(PersonalLine, Email, FormResponses, HomePincode, Mobile, Pincode, PlatformId);

impl Body for Document {
    fn put(&self, to: &mut Vec<u8>) {
        self.kind().put(to);
        self.reveal().to_owned().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Ok(Document::kept(DocumentType::take(from)?, String::take(from)?))
    }
}

impl Body for Income {
    fn put(&self, to: &mut Vec<u8>) {
        self.reveal().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Rupees::take(from).map(Income::of)
    }
}

impl Body for Share {
    fn put(&self, to: &mut Vec<u8>) {
        self.as_percent().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Share::percent(Decimal::take(from)?).ok_or(Damaged)
    }
}

impl Body for ContextEntry {
    fn put(&self, to: &mut Vec<u8>) {
        self.key().to_owned().put(to);
        self.reveal().to_vec().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Ok(ContextEntry::new(String::take(from)?, <Vec<String>>::take(from)?))
    }
}

impl Body for Context {
    fn put(&self, to: &mut Vec<u8>) {
        self.entries().to_vec().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        <Vec<ContextEntry>>::take(from).map(Context::of)
    }
}

record! {
    Address { line_1, line_2, line_3, city, state, country, pincode }
    Name { title, first, middle, last }
    Phone { country_code, mobile }
    Person {
        name, email, phone, born, address, nationality, gender, marital_status, annual_income, occupation,
        organization, education, employer, documents,
    }
    Appointee { name, relationship, born, phone, address, documents }
    Nominee { name, born, phone, relationship, address, share, documents, appointee }
}
