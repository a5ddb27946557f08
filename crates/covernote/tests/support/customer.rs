//! A customer on the hosted journey, with a browser without scripts that stores its cookie and follows
//! redirects.

use std::sync::Mutex;

use reqwest::header::{ACCEPT_LANGUAGE, CONTENT_TYPE, COOKIE, SET_COOKIE};
use reqwest::redirect::Policy;
use service::partner::{Addresses, PartnerChange};
use url::Url;

use super::answer::Answer;
use super::app::{App, Partner};
use super::page::Page;

/// A single healthy customer aged 34, in Bengaluru.
pub const WHO: &[(&str, &str)] = &[("self", "34")];
pub const PLACE: &[(&str, &str)] = &[("pincode", "560038"), ("illness", "no"), ("porting", "no")];
pub const COVER: &[(&str, &str)] = &[("plan", "base"), ("sum", "1000000")];

/// Details of the customer [`WHO`], without optional fields.
pub const DETAILS: &[(&str, &str)] = &[
    ("name", "Asha Rao"),
    ("born-day", "15"),
    ("born-month", "1"),
    ("born-year", "1992"),
    ("gender", "FEMALE"),
    ("mobile", "9876543210"),
    ("email", "asha.rao@example.com"),
    ("line-1", "12 MG Road"),
    ("city", "Bengaluru"),
    ("state", "Karnataka"),
    ("nominee-name", "Ravi Rao"),
    ("nominee-relation", "SPOUSE"),
];

/// The required consents.
pub const AGREES: &[(&str, &str)] = &[("consent", "declaration"), ("consent", "insurer")];

/// A customer with a browser.
pub struct Customer {
    base: Url,
    client: reqwest::Client,
    cookie: Mutex<Option<String>>,
    proof: Mutex<Option<String>>,
    accepts: Option<&'static str>,
}

impl Customer {
    /// A customer before the arrival.
    pub fn new(app: &App) -> Customer {
        Customer::at(&app.base)
    }

    /// A customer before the arrival, whose browser requests languages.
    pub fn speaking(app: &App, accepts: Option<&'static str>) -> Customer {
        Customer { accepts, ..Customer::new(app) }
    }

    /// A customer whose browser uses the server at an address.
    pub fn at(base: &str) -> Customer {
        let client = reqwest::Client::builder().redirect(Policy::none()).build().expect("a client");
        Customer {
            base: base.parse().expect("an address"),
            client,
            cookie: Mutex::default(),
            proof: Mutex::default(),
            accepts: None,
        }
    }

    /// A customer who arrived with a new token of the default partner.
    pub async fn arrived(app: &App) -> Customer {
        Customer::arrived_with(app, "").await
    }

    /// A customer who arrived with a new token of the default partner and more parameters, such as
    /// `&lang=hi`.
    pub async fn arrived_with(app: &App, query: &str) -> Customer {
        let customer = Customer::new(app);
        let page = customer.get(&format!("{}{query}", app.journey_address(app.partner()).await)).await;
        assert_eq!((page.status(), page.at.as_str()), (200, "/health/who"), "{}", page.answer.text);
        customer
    }

    /// A customer who has answered all questions, and sees the complete plans.
    pub async fn sees_plans(app: &App) -> Customer {
        let customer = Customer::arrived(app).await;
        customer.answers(WHO, PLACE, COVER).await;
        customer
    }

    /// A customer who chose one year of a variant.
    pub async fn chose(app: &App, variant: &str) -> Customer {
        let customer = Customer::sees_plans(app).await;
        let page = customer.chooses(variant, 1).await;
        assert_eq!(page.at, "/health/details");
        customer
    }

    /// A customer who has filled in everything and is on the review page.
    pub async fn reviews(app: &App, variant: &str) -> Customer {
        let customer = Customer::chose(app, variant).await;
        let page = customer.fills("details", DETAILS).await;
        assert_eq!((page.status(), page.at.as_str()), (200, "/health/review"), "{:?}", page.faults());
        customer
    }

    /// The same browser seen by another server.
    pub fn moved_to(&self, base: &str) -> Customer {
        let cookie = self.cookie();
        Customer { cookie: Mutex::new(cookie), ..Customer::at(base) }
    }

    /// The cookie that the browser sends.
    pub fn cookie(&self) -> Option<String> {
        self.cookie.lock().expect("nobody panicked").clone()
    }

    /// Sets the cookie, or removes it.
    pub fn has_cookie(&self, cookie: Option<&str>) {
        *self.cookie.lock().expect("nobody panicked") = cookie.map(str::to_owned);
        *self.proof.lock().expect("nobody panicked") = None;
    }

    /// A request with the cookie, to a path or to an address relative to the pages.
    pub fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let address = self.base.join("/health/").and_then(|pages| pages.join(path)).expect("an address");
        let mut request = self.client.request(method.parse().expect("a method"), address);
        if let Some(cookie) = self.cookie() {
            request = request.header(COOKIE, cookie);
        }
        match self.accepts {
            Some(languages) => request.header(ACCEPT_LANGUAGE, languages),
            None => request,
        }
    }

    /// Sends a request, stores the cookie, and follows no redirect.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Page {
        let request = request.build().expect("a request");
        let mut at = request.url().path().to_owned();
        if let Some(query) = request.url().query() {
            at = format!("{at}?{query}");
        }
        let answer = Answer::of(self.client.execute(request).await.expect("an answer")).await;
        if let Some(cookie) = answer.headers.get(SET_COOKIE) {
            let cookie = cookie.to_str().expect("text").split(';').next().expect("one part");
            self.has_cookie(Some(cookie));
        }
        Page { answer, at }
    }

    /// Follows redirects while they stay on this server.
    pub async fn follow(&self, mut page: Page) -> Page {
        for _ in 0..8 {
            let Some(location) = page.location() else { return page };
            let at = self.base.join(&page.at).and_then(|at| at.join(location)).expect("an address");
            assert_eq!(at.origin(), self.base.origin(), "it leads elsewhere");
            page = self.send(self.request("GET", at.as_str())).await;
        }
        panic!("it leads around in circles: {}", page.at)
    }

    /// Opens a page without following redirects.
    pub async fn get_once(&self, path: &str) -> Page {
        self.send(self.request("GET", path)).await
    }

    /// Opens a page and follows redirects.
    pub async fn get(&self, path: &str) -> Page {
        self.follow(self.get_once(path).await).await
    }

    /// The anti-forgery value of this customer's forms.
    pub async fn proof(&self) -> String {
        let known = self.proof.lock().expect("nobody panicked").clone();
        if let Some(proof) = known {
            return proof;
        }
        let page = self.get("who").await;
        let field = page.fields().into_iter().find(|(name, _)| name == "proof");
        let (_, proof) = field.unwrap_or_else(|| panic!("no proof: {}", page.answer.text));
        *self.proof.lock().expect("nobody panicked") = Some(proof.clone());
        proof
    }

    /// Sends a form unchanged.
    pub async fn sends<N: AsRef<str>, V: AsRef<str>>(&self, path: &str, fields: &[(N, V)]) -> Page {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self.request("POST", path).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(body)).await
    }

    /// Sends a form with the anti-forgery value, without following redirects.
    pub async fn post_once(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        let proof = self.proof().await;
        let mut fields = fields.to_vec();
        fields.push(("proof", &proof));
        self.sends(path, &fields).await
    }

    /// Sends a form with the anti-forgery value, and follows redirects.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.follow(self.post_once(path, fields).await).await
    }

    /// Opens a page, fills in its form as in a browser, sends it, and follows redirects.
    pub async fn fills(&self, path: &str, with: &[(&str, &str)]) -> Page {
        let page = self.get(path).await;
        self.fills_in(&page, with).await
    }

    /// Fills in the form of an open page, sends it, and follows redirects.
    pub async fn fills_in(&self, page: &Page, with: &[(&str, &str)]) -> Page {
        let at = self.base.join(&page.at).and_then(|at| at.join(&page.action())).expect("an address");
        let sent = self.sends(at.as_str(), &page.filled(with)).await;
        self.follow(sent).await
    }

    /// Answers the three pages of questions, and waits for all plans.
    pub async fn answers(
        &self,
        who: &[(&str, &str)],
        place: &[(&str, &str)],
        cover: &[(&str, &str)],
    ) -> Page {
        for (page, answers) in [("who", who), ("place", place), ("cover", cover)] {
            let next = self.fills(page, answers).await;
            assert!(next.status() == 200 && next.name() != page, "{:?}", next.faults());
        }
        self.all_plans().await
    }

    /// The list once all plans are there, as a browser without scripts gets it.
    pub async fn all_plans(&self) -> Page {
        let mut page = self.get("plans").await;
        for _ in 0..100 {
            assert_eq!((page.status(), page.name()), (200, "plans"));
            let Some(refresh) = page.whole().all("meta").find_map(|meta| {
                let refresh = meta.attribute("http-equiv") == Some("refresh");
                refresh.then(|| meta.attribute("content").expect("where to").to_owned())
            }) else {
                return page;
            };
            page = self.get(refresh.strip_prefix("0; url=").expect("at once")).await;
        }
        panic!("the plans never come");
    }

    /// Chooses a variant for a number of years.
    pub async fn chooses(&self, variant: &str, years: u8) -> Page {
        self.post("choose", &[("pick", &format!("{variant}:{years}"))]).await
    }

    /// Sends the application with the required consents. Returns the page with its result.
    pub async fn applies(&self) -> Page {
        let page = self.fills("review", AGREES).await;
        assert!(page.at.starts_with("/health/status/"), "{}: {:?}", page.at, page.faults());
        assert_eq!(page.status(), 200, "{}", page.answer.text);
        page
    }
}

impl App {
    /// The path to which a partner's backend sends a customer, with a fresh token.
    pub async fn journey_address(&self, partner: &Partner) -> String {
        format!("/health?session_token={}", self.token_of(partner, &["business.session"]).await)
    }

    /// Registers web addresses of the default partner.
    pub async fn registers(&self, origins: &[&str], return_urls: &[&str]) {
        let all = |addresses: &[&str]| addresses.iter().map(|address| (*address).to_owned()).collect();
        let add = Addresses { origins: all(origins), return_urls: all(return_urls) };
        self.change(self.partner(), PartnerChange { add, ..PartnerChange::default() }).await;
    }
}
