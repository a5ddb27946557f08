//! Valid bodies, in which tests remove or change one field.

use serde_json::{Value, json};

/// A quote request for an ordinary borrower: 36 years old, 5 lakh over 24 months.
pub fn quote() -> Value {
    json!({
        "date_of_birth": "15/06/1990",
        "gender": "FEMALE",
        "cover_amount": "500000.00",
        "policy_term": 24,
        "context_data": [{ "key": "loan_amount", "values": ["500000"] }, { "key": "loan_tenure", "values": ["24"] }],
    })
}

/// A quote request with a term of this many months.
pub fn quote_of_months(months: u32) -> Value {
    let mut body = quote();
    body["policy_term"] = months.into();
    body["context_data"][1]["values"] = json!([months.to_string()]);
    body
}

pub fn address() -> Value {
    json!({
        "address_line_1": "12 MG Road",
        "address_line_2": "Indiranagar",
        "address_line_3": "Near the lake",
        "city": "Bengaluru",
        "state": "Karnataka",
        "country": "India",
        "pincode": "560038",
    })
}

/// A proposer with every field, optional ones included.
pub fn proposer() -> Value {
    json!({
        "title": "MS",
        "first_name": "Asha",
        "middle_name": "K",
        "last_name": "Rao",
        "email": "asha.rao@example.com",
        "mobile": "9876543210",
        "country_code": "+91",
        "date_of_birth": "15/06/1990",
        "address": address(),
        "nationality": "IND",
        "gender": "FEMALE",
        "marital_status": "MARRIED",
        "annual_income": "900000",
        "occupation": "SALARIED",
        "organization": "PRIVATE_LTD",
        "education": "GRADUATE",
        "employer": "Example Works",
        "documents": [
            { "document_type": "PAN", "document_number": "ABCPR1234K" },
            { "document_type": "AADHAR", "document_number": "2345 6789 0124" },
        ],
    })
}

/// Another borrower of the same loan, 34 years old.
pub fn joint_borrower() -> Value {
    let mut person = proposer();
    person["first_name"] = "Devika".into();
    person["middle_name"] = Value::Null;
    person["last_name"] = "Menon".into();
    person["date_of_birth"] = "29/02/1992".into();
    person["documents"] = json!([{ "document_type": "PAN", "document_number": "ABCPM5678L" }]);
    person
}

/// An adult nominee with a share.
pub fn nominee(share: Value) -> Value {
    json!({
        "title": "MR",
        "first_name": "Ravi",
        "middle_name": "",
        "last_name": "Rao",
        "date_of_birth": "02/02/1988",
        "mobile": "9876543211",
        "country_code": "+91",
        "relationship": "HUSBAND",
        "address": address(),
        "percentage_sharing": share,
        "documents": [],
        "appointee_details": {
            "relationship_to_nominee": "", "title": "", "first_name": "", "middle_name": "", "last_name": "",
            "date_of_birth": "", "mobile": "", "country_code": "", "documents": [],
        },
    })
}

/// An appointee of a minor nominee.
pub fn appointee() -> Value {
    json!({
        "relationship_to_nominee": "UNCLE",
        "title": "MR",
        "first_name": "Mohan",
        "last_name": "Rao",
        "date_of_birth": "01/01/1970",
        "mobile": "9876543212",
        "address": address(),
        "documents": [],
    })
}

/// A nominee born in 2020, with an appointee.
pub fn minor_nominee(share: Value) -> Value {
    let mut nominee = nominee(share);
    nominee["date_of_birth"] = "01/01/2020".into();
    nominee["relationship"] = "SON".into();
    nominee["appointee_details"] = appointee();
    nominee
}

/// A proposal with one insured member and one nominee.
pub fn proposal(quote_id: &Value, recommendation_id: &Value, status: &str) -> Value {
    json!({
        "quote_id": quote_id,
        "recommendation_id": recommendation_id,
        "status": status,
        "proposer": proposer(),
        "insured_members": [proposer()],
        "nominee": [nominee(json!(100))],
        "context_data": [{ "key": "loan_amount", "values": ["500000"] }],
    })
}

/// The proposal for another person, with another first name and without documents.
pub fn of_borrower(mut proposal: Value, first_name: &str) -> Value {
    for path in ["/proposer", "/insured_members/0"] {
        let person = proposal.pointer_mut(path).expect("a person");
        person["first_name"] = first_name.into();
        person["documents"] = json!([]);
    }
    proposal
}

/// A recommendation request with only the required fields, for a family of four in Bengaluru.
pub fn recommendation() -> Value {
    json!({
        "lead_id": "lead-1001",
        "user_id": "user-42",
        "customer": {
            "name": "Asha Rao",
            "gender": "Female",
            "phoneNumber": "9876543210",
            "pinCode": "560038",
            "email": "asha.rao@example.com",
        },
        "members": {
            "self": [{ "age": 34 }],
            "spouse": [{ "age": 36 }],
            "daughter": [{ "age": 6 }],
            "son": [{ "age": 3 }],
        },
        "hasPED": false,
    })
}

/// A recommendation request with every field that needs no permission and no record.
pub fn full_recommendation() -> Value {
    let mut body = recommendation();
    for (field, value) in [
        ("hasPED", json!(true)),
        ("selectedPEDs", json!(["diabetes", "something-else"])),
        ("plan_type", json!("super_top_up")),
        ("sum_insured", json!(2_500_000)),
        ("deductible", json!(500_000)),
        ("is_porting", json!(true)),
        ("porting_tenure", json!(2)),
    ] {
        body[field] = value;
    }
    body
}

/// A body with the value at a path replaced; `proposer.address.pincode`, `insured_members.0.mobile`.
pub fn with(mut body: Value, path: &str, value: Value) -> Value {
    *at(&mut body, path) = value;
    body
}

/// A body without the field at a path.
pub fn without(mut body: Value, path: &str) -> Value {
    let (parent, name) = path.rsplit_once('.').map_or(("", path), |(parent, name)| (parent, name));
    let parent = if parent.is_empty() { &mut body } else { at(&mut body, parent) };
    parent.as_object_mut().expect("an object").remove(name).unwrap_or_else(|| panic!("no {path}"));
    body
}

fn at<'v>(body: &'v mut Value, path: &str) -> &'v mut Value {
    path.split('.').fold(body, |value, step| match step.parse::<usize>() {
        Ok(index) => &mut value[index],
        Err(_) => &mut value[step],
    })
}

/// A path of [`with`] as faults name it: `insured_members.0.mobile` is `insured_members[0].mobile`.
pub fn as_field(path: &str) -> String {
    let mut field = String::new();
    for step in path.split('.') {
        match step.parse::<usize>() {
            Ok(index) => field.push_str(&format!("[{index}]")),
            Err(_) if field.is_empty() => field.push_str(step),
            Err(_) => field.push_str(&format!(".{step}")),
        }
    }
    field
}

/// A line of an import: a health proposal with every field except its partner.
pub fn imported_proposal() -> Value {
    json!({
        "created_at": "2026-11-19T16:30:00+05:30",
        "session_id": null,
        "name": "Meera Nair",
        "phone": "+91 98765-00003",
        "email": "meera.nair@example.com",
        "insurer_id": "OLD-18",
        "insurer_name": "Itihas General Insurance (fictional)",
        "insurer_logo": "https://insurers.example/itihas/logo.svg",
        "product_id": "IGI-P-1",
        "product_name": "Itihas Parivar",
        "variant_id": "IGI-V-2",
        "variant_name": "Parivar Gold",
        "tenure": 3,
        "net_premium": "9062",
        "gross_premium": "10693.16",
        "status": "UNDERWRITING",
        "form_responses": {
            "proposer": { "name": "Meera Nair", "dob": "1978-09-21" },
            "insured": { "member_1": { "name": "Meera Nair", "relationship": "SELF" } },
            "nominee": { "name": "Ravi Nair", "relationship": "SPOUSE" },
            "health": { "member_1": { "pre_existing_diseases": [] } },
        },
        "insurer_proposal_id": "OLD-18/2026002",
        "quote_id": "Q-2026-17",
        "cancelled_reason": null,
        "rejection_reason": null,
    })
}

/// A line of an import: a health policy with every field except its partner.
pub fn imported_policy() -> Value {
    json!({
        "session_id": null,
        "policy_number": "CN-2026-004100",
        "insurer_policy_number": "IGI/2026/00002",
        "status": "ISSUED",
        "issuance_date": "2026-11-19",
        "expiry_date": "2028-11-18",
        "sum_insured": "2500000",
        "policy_type": "RENEWAL",
        "tenure": 2,
        "net_premium": "9000",
        "gross_premium": "10620.00",
        "insurer_id": "OLD-18",
        "insurer_name": "Itihas General Insurance (fictional)",
        "insurer_logo": "https://insurers.example/itihas/logo.svg",
        "product_id": "IGI-P-1",
        "product_name": "Itihas Parivar",
        "variant_id": "IGI-V-2",
        "variant_name": "Parivar Gold",
        "previous_policy_id": "OLD-1",
        "proposer_details": {
            "name": "Meera Nair",
            "phone": "9876500003",
            "dob": "1978-09-21",
            "email": "meera.nair@example.com",
            "address": {
                "address_line_1": "Flat 9, Lake View",
                "address_line_2": "Kadavanthra",
                "city": "Kochi",
                "state": "Kerala",
                "country": "India",
                "pincode": "682020",
            },
            "bank_details": {
                "bank_id": "B-0",
                "bank_account_number": "000111222333",
                "bank_name": "Namoona Bank (fictional)",
                "branch_id": "BR-1",
                "branch_name": "Main",
                "ifsc_code": "nmnb0000001",
            },
        },
        "insured_members": [
            { "name": "Meera Nair", "dob": "1978-09-21", "gender": "Female", "relationship": "SELF", "pre_existing_diseases": ["Diabetes"] },
            { "name": "Ravi Nair", "dob": "1976-02-29", "gender": "Male", "relationship": "SPOUSE" },
        ],
        "nominees": [{ "nominee_name": "Ravi Nair", "relationship": "SPOUSE", "nominee_phone": "9876511111" }],
        "riders": [{ "id": "R-1", "name": "Hospital cash" }],
        "proposal_id": "P-17",
        "quote_id": "Q-2026-17",
    })
}
