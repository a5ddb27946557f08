//! A client of the operators' console, with an authenticator that tests may make hostile.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::header::{COOKIE, LOCATION, ORIGIN, SET_COOKIE};
use reqwest::redirect::Policy;
use serde_json::{Value, json};

/// The console on its own listener.
pub struct Console {
    pub base: String,
    http: reqwest::Client,
}

/// Checks each answer of an act, by method and path, if it is set.
pub static CHECK: std::sync::OnceLock<fn(&str, &str, &Value)> = std::sync::OnceLock::new();

impl Console {
    /// The console of a server at an address.
    pub fn at(base: String) -> Self {
        let http = reqwest::Client::builder().redirect(Policy::none()).build().expect("a client");
        Console { base, http }
    }

    /// Reads a page with a session cookie. Returns status and text.
    pub async fn get(&self, url: &str, session: &str) -> (u16, String) {
        let answer = self.http.get(url).header(COOKIE, session).send().await.expect("an answer");
        (answer.status().as_u16(), answer.text().await.expect("a text"))
    }

    /// Sends a form of the console. Returns the status, the redirect, the new session and the page.
    pub async fn post(&self, url: &str, session: &str, form: &[(&str, &str)]) -> Posted {
        let request = self.http.post(url).header(COOKIE, session).header(ORIGIN, &self.base).form(form);
        Posted::of(request.send().await.expect("an answer")).await
    }

    /// Sends a form with a file. Its fields come before the file.
    pub async fn post_file(
        &self,
        url: &str,
        session: &str,
        fields: &[(&str, &str)],
        (name, bytes): (&str, &[u8]),
    ) -> Posted {
        let mut body = Vec::new();
        for (name, value) in fields {
            let part =
                format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            body.extend(part.into_bytes());
        }
        let part =
            format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"a file\"\r\n\r\n");
        body.extend([part.as_bytes(), bytes, b"\r\n--edge--\r\n"].concat());
        let request = self.http.post(url).header(COOKIE, session).header(ORIGIN, &self.base).body(body);
        let request = request.header("content-type", "multipart/form-data; boundary=edge");
        Posted::of(request.send().await.expect("an answer")).await
    }

    /// Reads a page with a session cookie. Returns a header and the body.
    pub async fn get_file(&self, url: &str, session: &str, header: &str) -> (u16, String, Vec<u8>) {
        let answer = self.http.get(url).header(COOKIE, session).send().await.expect("an answer");
        let value = answer.headers().get(header).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let (status, value) = (answer.status().as_u16(), value.to_owned());
        (status, value, answer.bytes().await.expect("bytes").to_vec())
    }

    /// Enrols the invited operator. Returns the session cookie.
    pub async fn enrols(&self, link: &str, with: &mut Authenticator) -> String {
        let ceremony = self.ceremony(link, "").await;
        let posted = self.post(link, "", &with.form(&ceremony, &Twist::default()).pairs()).await;
        assert_eq!(posted.status, 200, "{}", posted.page);
        posted.session
    }

    /// Reads the WebAuthn ceremony on a page.
    pub async fn ceremony(&self, url: &str, session: &str) -> Ceremony {
        let (status, page) = self.get(url, session).await;
        assert_eq!(status, 200, "{page}");
        ceremony_on(&page)
    }

    /// Types the code of a command line, and reads the WebAuthn ceremony on the next page.
    pub async fn ceremony_of_code(&self, code: &str, session: &str) -> Ceremony {
        ceremony_on(&self.post(&format!("{}/device", self.base), session, &[("code", code)]).await.page)
    }

    /// Sends a request to the operators' API with a token. Returns status and JSON.
    pub async fn act(&self, method: &str, path: &str, token: &str, body: &Value) -> (u16, Value) {
        let url = format!("{}/operator/v1{path}", self.base);
        let request = self.http.request(method.parse().expect("a method"), url).bearer_auth(token);
        let request = if method == "GET" { request } else { request.json(body) };
        let answer = request.send().await.expect("an answer");
        let (status, answer) = (answer.status().as_u16(), answer.json().await.unwrap_or_default());
        if let (200, Some(check), Value::Object(_)) = (status, CHECK.get(), &answer) {
            check(method, &format!("/operator/v1{path}"), &answer);
        }
        (status, answer)
    }

    /// Like [`Console::act`], with an idempotency key.
    pub async fn act_once(&self, key: &str, path: &str, token: &str, body: &Value) -> (u16, Value) {
        let url = format!("{}/operator/v1{path}", self.base);
        let request = self.http.post(url).bearer_auth(token).header("idempotency-key", key).json(body);
        let answer = request.send().await.expect("an answer");
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }
}

/// The answer to a form.
pub struct Posted {
    pub status: u16,
    pub leads_to: String,
    pub session: String,
    pub page: String,
}

impl Posted {
    async fn of(answer: reqwest::Response) -> Self {
        let header = |name| {
            let value = answer.headers().get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        let (leads_to, cookie) = (header(LOCATION), header(SET_COOKIE));
        let session = cookie.split(';').next().unwrap_or_default().to_owned();
        let status = answer.status().as_u16();
        Posted { status, leads_to, session, page: answer.text().await.expect("a text") }
    }
}

/// A WebAuthn ceremony that a page requests.
pub struct Ceremony {
    pub options: Value,
    pub held: String,
}

/// Deviations of a hostile browser or authenticator.
#[derive(Default)]
pub struct Twist {
    /// Another origin than the console's.
    pub origin: Option<String>,
    /// Says that the user was not verified.
    pub unverified: bool,
    /// Sends this user handle, which belongs to another user.
    pub handle: Option<Vec<u8>>,
    /// Does not increase the signature counter.
    pub cloned: bool,
    /// Signs this challenge instead of the page's.
    pub challenge: Option<String>,
    /// Signs with another key.
    pub other_key: bool,
}

/// The fields of a form with a ceremony.
pub struct CeremonyFields {
    ceremony: String,
    credential: String,
}

impl CeremonyFields {
    pub fn pairs(&self) -> [(&str, &str); 2] {
        [("ceremony", &self.ceremony), ("credential", &self.credential)]
    }
}

/// An authenticator with one passkey.
pub struct Authenticator {
    origin: String,
    id: Vec<u8>,
    key: EcdsaKeyPair,
    handle: Vec<u8>,
    counter: u32,
}

fn new_key() -> EcdsaKeyPair {
    EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).expect("a key")
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Authenticator {
    pub fn new(console: &Console) -> Self {
        let key = new_key();
        let id = key.public_key().as_ref()[1..33].to_vec();
        Authenticator { origin: console.base.clone(), id, key, handle: Vec::new(), counter: 0 }
    }

    /// The form that answers a ceremony, with deviations.
    pub fn form(&mut self, ceremony: &Ceremony, twist: &Twist) -> CeremonyFields {
        let options = &ceremony.options;
        let is_new = options["user"].is_object();
        if is_new {
            self.handle =
                URL_SAFE_NO_PAD.decode(options["user"]["id"].as_str().expect("an id")).expect("base64");
        }
        let client = json!({
            "type": if is_new { "webauthn.create" } else { "webauthn.get" },
            "challenge": twist.challenge.as_deref().or(options["challenge"].as_str()),
            "origin": twist.origin.as_deref().unwrap_or(&self.origin),
            "crossOrigin": false,
        })
        .to_string();
        let host = self.origin.split("//").nth(1).and_then(|rest| rest.split(':').next()).expect("a host");
        let mut data = digest(&SHA256, host.as_bytes()).as_ref().to_vec();
        let verified = if twist.unverified { 0 } else { 4 };
        data.push(1 | verified | if is_new { 0x40 } else { 0 });
        if !twist.cloned {
            self.counter += 1;
        }
        data.extend(self.counter.to_be_bytes());
        let response = if is_new {
            data.extend([0; 16]);
            data.extend(u16::try_from(self.id.len()).expect("short").to_be_bytes());
            data.extend(&self.id);
            let point = self.key.public_key().as_ref();
            data.extend([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]);
            data.extend(&point[1..33]);
            data.extend([0x22, 0x58, 32]);
            data.extend(&point[33..]);
            let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
            object.push(u8::try_from(data.len()).expect("short"));
            object.extend(&data);
            json!({ "clientDataJSON": encode(client.as_bytes()), "attestationObject": encode(&object) })
        } else {
            let signed = [&data[..], digest(&SHA256, client.as_bytes()).as_ref()].concat();
            let other = new_key();
            let key = if twist.other_key { &other } else { &self.key };
            let signature = key.sign(&SystemRandom::new(), &signed).expect("signed");
            json!({
                "clientDataJSON": encode(client.as_bytes()), "authenticatorData": encode(&data),
                "signature": encode(signature.as_ref()),
                "userHandle": encode(twist.handle.as_deref().unwrap_or(&self.handle)),
            })
        };
        let credential = json!({
            "id": encode(&self.id), "rawId": encode(&self.id), "type": "public-key", "response": response,
            "clientExtensionResults": {},
        });
        CeremonyFields { ceremony: ceremony.held.clone(), credential: credential.to_string() }
    }
}

/// The WebAuthn ceremony on a page.
pub fn ceremony_on(page: &str) -> Ceremony {
    let between = |before: &str, after: char| {
        let rest = page.split_once(before).unwrap_or_else(|| panic!("no {before} in {page}")).1;
        rest.split(after).next().expect("a part").replace("&#34;", "\"")
    };
    Ceremony {
        options: serde_json::from_str(&between("data-options=\"", '"')).expect("JSON"),
        held: between("name=\"ceremony\" value=\"", '"'),
    }
}
