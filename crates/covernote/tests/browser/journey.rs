//! The hosted journey, from the partner's redirect to the certificate (interface §14; D38).

use crate::browser::Browser;
use crate::look::Look;
use crate::support::{App, Setup};

/// The words by which a test finds its way.
#[derive(Clone, Copy)]
struct Says {
    code: &'static str,
    go_on: &'static str,
    you_age: &'static str,
    spouse_age: &'static str,
    add_child: &'static str,
    first_child: &'static str,
    son_or_daughter: &'static str,
    daughter: &'static str,
    child_age: &'static str,
    pincode: &'static str,
    illness_question: &'static str,
    porting_question: &'static str,
    no: &'static str,
    base: &'static str,
    ten_lakh: &'static str,
    see_plans: &'static str,
    plans_title: &'static str,
    see_the_plan: &'static str,
    choose_one_year: &'static str,
    full_name: &'static str,
    about_you: &'static str,
    birth_date: &'static str,
    day: &'static str,
    month: &'static str,
    year: &'static str,
    female: &'static str,
    male: &'static str,
    mobile: &'static str,
    email: &'static str,
    line_1: &'static str,
    city: &'static str,
    state: &'static str,
    your_spouse: &'static str,
    your_daughter: &'static str,
    nominee: &'static str,
    nominee_relation: &'static str,
    spouse: &'static str,
    review_title: &'static str,
    declaration: &'static str,
    insurer: &'static str,
    send: &'static str,
    insured_title: &'static str,
    certificate: &'static str,
}

const ENGLISH: Says = Says {
    code: "en",
    go_on: "Continue",
    you_age: "Your age",
    spouse_age: "Your spouse’s age",
    add_child: "Add a child",
    first_child: "Child 1",
    son_or_daughter: "Son or daughter",
    daughter: "Daughter",
    child_age: "Age",
    pincode: "Pincode of your home",
    illness_question: "Does anybody to be covered",
    porting_question: "Do you have a health policy now",
    no: "No",
    base: "From the first rupee",
    ten_lakh: "₹10 lakh",
    see_plans: "See plans and prices",
    plans_title: "Plans for you",
    see_the_plan: "See the plan",
    choose_one_year: "Choose 1 year for",
    full_name: "Full name",
    about_you: "About you",
    birth_date: "Date of birth",
    day: "Day",
    month: "Month",
    year: "Year",
    female: "Female",
    male: "Male",
    mobile: "Mobile number",
    email: "E-mail",
    line_1: "House and street",
    city: "City",
    state: "State",
    your_spouse: "Your spouse, 36 years, to be insured",
    your_daughter: "Your daughter, 6 years, to be insured",
    nominee: "Nominee",
    nominee_relation: "What the nominee is to you",
    spouse: "Spouse",
    review_title: "Look at everything once more",
    declaration: "What I have told",
    insurer: "My answers",
    send: "Send the application",
    insured_title: "You are insured",
    certificate: "Open the certificate",
};

const HINDI: Says = Says {
    code: "hi",
    go_on: "आगे बढ़ें",
    you_age: "आपकी उम्र",
    spouse_age: "आपके पति या पत्नी की उम्र",
    add_child: "एक और बच्चा जोड़ें",
    first_child: "बच्चा 1",
    son_or_daughter: "बेटा या बेटी",
    daughter: "बेटी",
    child_age: "उम्र",
    pincode: "आपके घर का पिन कोड",
    illness_question: "क्या बीमा में शामिल",
    porting_question: "क्या आपके पास अभी",
    no: "नहीं",
    base: "पहले रुपये से",
    ten_lakh: "₹10 लाख",
    see_plans: "प्लान और कीमतें देखें",
    plans_title: "आपके लिए प्लान",
    see_the_plan: "प्लान देखें:",
    choose_one_year: "1 साल के लिए चुनें",
    full_name: "पूरा नाम",
    about_you: "आपके बारे में",
    birth_date: "जन्मतिथि",
    day: "दिन",
    month: "महीना",
    year: "साल",
    female: "महिला",
    male: "पुरुष",
    mobile: "मोबाइल नंबर",
    email: "ई-मेल",
    line_1: "मकान और गली",
    city: "शहर",
    state: "राज्य",
    your_spouse: "आपके पति या पत्नी, उम्र 36 साल, जिनका बीमा होगा",
    your_daughter: "आपकी बेटी, उम्र 6 साल, जिनका बीमा होगा",
    nominee: "नॉमिनी",
    nominee_relation: "नॉमिनी से आपका रिश्ता",
    spouse: "पति या पत्नी",
    review_title: "सब कुछ एक बार फिर देख लें",
    declaration: "मैंने जो बताया है",
    insurer: "मेरे जवाब",
    send: "आवेदन भेजें",
    insured_title: "आपका बीमा हो गया",
    certificate: "प्रमाणपत्र खोलें",
};

/// A plan of the sample catalogue that is decided at once.
const PLAN: &str = "Saral Swasthya Poorna";

/// Whose it is.
const INSURER: &str = "Abhas General Insurance";

/// One customer's way, each page of which is looked at.
struct Way<'a> {
    app: &'a App,
    browser: &'a Browser,
    says: Says,
    name: &'static str,
}

impl Way<'_> {
    /// The page can be used by everyone, and is shown in a screenshot.
    async fn looks_good(&self, page: &str) {
        self.browser.screenshot(&format!("journey/{}-{page}", self.name)).await;
        self.browser.has_no_horizontal_scroll().await;
        self.browser.is_accessible(page).await;
    }

    async fn arrives(&self) {
        let token = self.app.partner().token.clone();
        let address = format!("{}/health?session_token={token}&lang={}", self.app.base, self.says.code);
        self.browser.open(&address).await;
        assert!(self.browser.url().await.ends_with("/health/who"), "the token is gone from the address");
        self.looks_good("1-who").await;
    }

    async fn tells_who(&self) {
        let (browser, says) = (self.browser, self.says);
        browser.fill(says.you_age, "34").await;
        browser.fill(says.spouse_age, "36").await;
        let child = browser.within(says.first_child);
        child.fill(says.son_or_daughter, says.daughter).await;
        child.fill(says.child_age, "6").await;
        if browser.look.scripts {
            browser.press_and_stay(says.add_child).await;
        }
        browser.press(says.go_on).await;
        self.looks_good("2-place").await;
        browser.fill(says.pincode, "560038").await;
        browser.within(says.illness_question).choose(says.no).await;
        browser.within(says.porting_question).choose(says.no).await;
        browser.press(says.go_on).await;
        self.looks_good("3-cover").await;
        browser.choose(says.base).await;
        browser.choose(says.ten_lakh).await;
        browser.press(says.see_plans).await;
    }

    async fn chooses(&self) {
        let (browser, says) = (self.browser, self.says);
        assert_eq!(browser.heading().await, says.plans_title);
        // Without scripts the page goes on by itself until all prices are there.
        browser.sees(PLAN).await;
        self.looks_good("4-plans").await;
        browser.press(&format!("{} {INSURER} {PLAN}", says.see_the_plan)).await;
        assert_eq!(browser.heading().await, PLAN);
        self.looks_good("5-plan").await;
        browser.press(says.choose_one_year).await;
        self.looks_good("6-details").await;
    }

    async fn tells_details(&self) {
        let (browser, says) = (self.browser, self.says);
        let own = browser.within(says.about_you);
        own.fill(says.full_name, "Asha Rao").await;
        self.was_born(&own, ["14", "2", "1992"]).await;
        own.choose(says.female).await;
        own.fill(says.mobile, "98765 43210").await;
        own.fill(says.email, "asha@example.in").await;
        own.fill(says.line_1, "12, Residency Road").await;
        own.fill(says.city, "Bengaluru").await;
        own.fill(says.state, "Karnataka").await;
        for (person, name, born, gender) in [
            (says.your_spouse, "Ravi Rao", ["1", "6", "1990"], says.male),
            (says.your_daughter, "Meera Rao", ["9", "9", "2020"], says.female),
        ] {
            let person = browser.within(person);
            person.fill(says.full_name, name).await;
            self.was_born(&person, born).await;
            person.choose(gender).await;
        }
        let nominee = browser.within(says.nominee);
        nominee.fill(says.full_name, "Ravi Rao").await;
        nominee.fill(says.nominee_relation, says.spouse).await;
        browser.press(says.go_on).await;
        assert_eq!(browser.heading().await, says.review_title);
        self.looks_good("7-review").await;
    }

    async fn was_born(&self, person: &crate::controls::Part<'_>, [day, month, year]: [&str; 3]) {
        let date = person.within(self.says.birth_date);
        date.fill(self.says.day, day).await;
        date.fill(self.says.month, month).await;
        date.fill(self.says.year, year).await;
    }

    async fn applies(&self) {
        let (browser, says) = (self.browser, self.says);
        browser.choose(says.declaration).await;
        browser.choose(says.insurer).await;
        browser.press(says.send).await;
        assert_eq!(browser.heading().await, says.insured_title);
        self.looks_good("8-status").await;
    }
}

/// The whole way, up to a policy whose certificate opens.
async fn buys(name: &'static str, look: Look, says: Says) {
    let app = Setup::default().start().await;
    let browser = Browser::start(look).await;
    let way = Way { app: &app, browser: &browser, says, name };
    way.arrives().await;
    way.tells_who().await;
    way.chooses().await;
    way.tells_details().await;
    way.applies().await;
    browser.press(says.certificate).await;
    assert!(browser.url().await.contains("/v1/embedded/policy/"), "the certificate opens");
}

#[tokio::test]
async fn a_customer_buys_in_english_on_a_phone() {
    buys("en-phone", Look::PHONE, ENGLISH).await;
}

#[tokio::test]
async fn a_customer_buys_in_hindi_on_a_phone() {
    buys("hi-phone", Look::PHONE, HINDI).await;
}

#[tokio::test]
async fn a_customer_buys_in_english_on_a_desktop_without_scripts() {
    buys("en-desktop-plain", Look { scripts: false, ..Look::DESKTOP }, ENGLISH).await;
}

#[tokio::test]
async fn a_customer_buys_in_hindi_on_a_desktop() {
    buys("hi-desktop", Look::DESKTOP, HINDI).await;
}
