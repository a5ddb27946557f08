//! A customer's way through the journey, described by the texts on its pages.

use crate::browser::Browser;
use crate::controls::Part;
use crate::look::Look;
use crate::support::App;
use crate::support::app::Server;

/// Texts on the pages that a test uses, in one language.
#[derive(Clone, Copy)]
pub(crate) struct Says {
    pub(crate) code: &'static str,
    pub(crate) go_on: &'static str,
    pub(crate) you_age: &'static str,
    pub(crate) spouse_age: &'static str,
    pub(crate) first_child: &'static str,
    pub(crate) son_or_daughter: &'static str,
    pub(crate) daughter: &'static str,
    pub(crate) child_age: &'static str,
    pub(crate) pincode: &'static str,
    pub(crate) illness_question: &'static str,
    pub(crate) porting_question: &'static str,
    pub(crate) yes: &'static str,
    pub(crate) no: &'static str,
    pub(crate) base: &'static str,
    pub(crate) super_top_up: &'static str,
    pub(crate) ten_lakh: &'static str,
    pub(crate) see_plans: &'static str,
    pub(crate) plans_title: &'static str,
    pub(crate) see_the_plan: &'static str,
    pub(crate) choose_one_year: &'static str,
    pub(crate) full_name: &'static str,
    pub(crate) about_you: &'static str,
    pub(crate) birth_date: &'static str,
    pub(crate) day: &'static str,
    pub(crate) month: &'static str,
    pub(crate) year: &'static str,
    pub(crate) female: &'static str,
    pub(crate) male: &'static str,
    pub(crate) mobile: &'static str,
    pub(crate) email: &'static str,
    pub(crate) line_1: &'static str,
    pub(crate) city: &'static str,
    pub(crate) state: &'static str,
    pub(crate) your_spouse: &'static str,
    pub(crate) your_daughter: &'static str,
    pub(crate) nominee: &'static str,
    pub(crate) refunds: &'static str,
    pub(crate) nominee_relation: &'static str,
    pub(crate) spouse: &'static str,
    pub(crate) review_title: &'static str,
    pub(crate) declaration: &'static str,
    pub(crate) insurer: &'static str,
    pub(crate) send: &'static str,
    pub(crate) premium_title: &'static str,
    pub(crate) pay: &'static str,
    pub(crate) insured_title: &'static str,
    pub(crate) certificate: &'static str,
}

/// In English.
pub(crate) const ENGLISH: Says = Says {
    code: "en",
    go_on: "Continue",
    you_age: "Your age",
    spouse_age: "Your spouse’s age",
    first_child: "Child 1",
    son_or_daughter: "Son or daughter",
    daughter: "Daughter",
    child_age: "Age",
    pincode: "Pincode where you live",
    illness_question: "Does anybody to be covered",
    porting_question: "Do you have a health policy now",
    yes: "Yes",
    no: "No",
    super_top_up: "Above an amount",
    base: "A regular plan, from the first rupee",
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
    city: "City, town or village",
    state: "State",
    your_spouse: "To be insured: Your spouse, 36 years",
    your_daughter: "To be insured: Your daughter, 6 years",
    refunds: "Bank account for refunds",
    nominee: "Nominee",
    nominee_relation: "Nominee’s relationship to you",
    spouse: "Spouse",
    review_title: "Check your answers",
    declaration: "Your answers",
    insurer: "You agree that your answers",
    send: "Send the application",
    premium_title: "Accepted: pay your premium",
    pay: "Pay the premium",
    insured_title: "Your policy is issued",
    certificate: "Open the certificate",
};

/// In Hindi.
pub(crate) const HINDI: Says = Says {
    code: "hi",
    go_on: "आगे बढ़ें",
    you_age: "आपकी उम्र",
    spouse_age: "आपके पति या पत्नी की उम्र",
    first_child: "बच्चा 1",
    son_or_daughter: "बेटा या बेटी",
    daughter: "बेटी",
    child_age: "उम्र",
    pincode: "आपके घर का पिन कोड",
    illness_question: "क्या बीमा में शामिल",
    porting_question: "क्या आपके पास अभी",
    yes: "हाँ",
    no: "नहीं",
    super_top_up: "एक तय राशि",
    base: "सामान्य प्लान: पहले रुपये से भुगतान",
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
    city: "शहर, कस्बा या गाँव",
    state: "राज्य",
    your_spouse: "बीमित सदस्य: आपके पति या पत्नी, उम्र 36 साल",
    your_daughter: "बीमित सदस्य: आपकी बेटी, उम्र 6 साल",
    refunds: "रिफ़ंड के लिए बैंक खाता",
    nominee: "नॉमिनी",
    nominee_relation: "नॉमिनी आपके क्या लगते हैं",
    spouse: "पति या पत्नी",
    review_title: "अपने जवाब जाँचें",
    declaration: "आपने जो बताया है",
    insurer: "आप सहमत हैं",
    send: "आवेदन भेजें",
    premium_title: "स्वीकार हुआ: अब केवल आपका प्रीमियम बाकी है",
    pay: "प्रीमियम चुकाएँ",
    insured_title: "आपकी पॉलिसी जारी हो गई है",
    certificate: "प्रमाणपत्र खोलें",
};

/// A plan of the sample catalogue that is decided at once.
pub(crate) const AT_ONCE: Plan = Plan { insurer: "Abhas General Insurance", name: "Saral Swasthya Poorna" };

/// A plan that its insurer decides.
pub(crate) const BY_INSURER: Plan =
    Plan { insurer: "Drishtant General Insurance", name: "Parivar Raksha Plus" };

/// A plan that the operator decides.
pub(crate) const BY_OPERATOR: Plan = Plan { insurer: "Prayog Health Insurance", name: "Apna" };

/// A plan, by its names on the pages.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) insurer: &'static str,
    pub(crate) name: &'static str,
}

/// One customer's way through the journey. Each page is checked for accessibility, and has a screenshot.
pub(crate) struct Way<'a> {
    pub(crate) app: &'a App,
    pub(crate) browser: &'a mut Browser,
    pub(crate) says: Says,
    /// Prefix of the screenshots' names.
    pub(crate) name: &'static str,
    /// Further looks in which each page is checked, with their names.
    pub(crate) looks: &'static [(&'static str, Look)],
}

impl<'a> Way<'a> {
    /// A way with pages in the browser's present look only.
    pub(crate) fn of(app: &'a App, browser: &'a mut Browser, says: Says, name: &'static str) -> Way<'a> {
        Way { app, browser, says, name, looks: &[] }
    }

    /// Checks the page in every look, with screenshots.
    pub(crate) async fn looks_good(&mut self, page: &str) {
        self.is_good(page, "").await;
        let usual = self.browser.look;
        for (look_name, look) in self.looks {
            self.browser.set_look(*look).await;
            self.is_good(page, look_name).await;
        }
        if !self.looks.is_empty() {
            self.browser.set_look(usual).await;
        }
    }

    async fn is_good(&self, page: &str, look: &str) {
        self.browser.screenshot(&format!("journey/{}-{page}{look}", self.name)).await;
        self.browser.has_no_horizontal_scroll().await;
        self.browser.is_accessible(page).await;
    }

    /// The customer opens the address that the partner's backend created.
    pub(crate) async fn arrives(&mut self) {
        let token = self.app.token_of(self.app.partner(), &["business.session"]).await;
        let address = format!("{}/health?session_token={token}&lang={}", self.app.base, self.says.code);
        self.browser.open(&address).await;
        assert!(self.browser.url().await.ends_with("/health/who"), "the token is gone from the address");
        self.looks_good("1-who").await;
    }

    /// Answers the questions: a couple of 34 and 36 with a daughter of 6, in Bengaluru, without illness, for
    /// ten lakh.
    pub(crate) async fn asks(&mut self) {
        let says = self.says;
        self.tells_who().await;
        self.looks_good("2-place").await;
        self.tells_place().await;
        self.looks_good("3-cover").await;
        self.browser.choose(says.base).await;
        self.browser.choose(says.ten_lakh).await;
        self.browser.press(says.see_plans).await;
        assert_eq!(self.browser.heading().await, says.plans_title);
    }

    pub(crate) async fn tells_who(&mut self) {
        let (browser, says) = (&self.browser, self.says);
        browser.fill(says.you_age, "34").await;
        browser.fill(says.spouse_age, "36").await;
        let child = browser.within(says.first_child);
        child.fill(says.son_or_daughter, says.daughter).await;
        child.fill(says.child_age, "6").await;
        browser.press(says.go_on).await;
    }

    pub(crate) async fn tells_place(&mut self) {
        let (browser, says) = (&self.browser, self.says);
        browser.fill(says.pincode, "560038").await;
        browser.within(says.illness_question).choose(says.no).await;
        browser.within(says.porting_question).choose(says.no).await;
        browser.press(says.go_on).await;
    }

    pub(crate) async fn chooses(&mut self, plan: Plan) {
        let says = self.says;
        // Without scripts, the page reloads itself until all prices are there.
        self.browser.sees(plan.name).await;
        self.looks_good("4-plans").await;
        self.browser.press(&format!("{} {} {}", says.see_the_plan, plan.insurer, plan.name)).await;
        assert_eq!(self.browser.heading().await, plan.name);
        self.looks_good("5-plan").await;
        self.browser.press(says.choose_one_year).await;
        self.looks_good("6-details").await;
    }

    pub(crate) async fn tells_details(&mut self) {
        self.fills_details(["14", "2", "1992"]).await;
        self.browser.press(self.says.go_on).await;
        assert_eq!(self.browser.heading().await, self.says.review_title);
        self.looks_good("7-review").await;
    }

    /// Fills in every detail, with this date of birth of the customer.
    pub(crate) async fn fills_details(&mut self, born: [&str; 3]) {
        let (browser, says) = (&self.browser, self.says);
        let own = browser.within(says.about_you);
        own.fill(says.full_name, "Asha Rao").await;
        self.was_born(&own, born).await;
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
    }

    async fn was_born(&self, person: &Part<'_>, [day, month, year]: [&str; 3]) {
        let date = person.within(self.says.birth_date);
        date.fill(self.says.day, day).await;
        date.fill(self.says.month, month).await;
        date.fill(self.says.year, year).await;
    }

    /// Ticks the required consents, and sends the application.
    pub(crate) async fn applies(&mut self) {
        let (browser, says) = (&self.browser, self.says);
        browser.choose(says.declaration).await;
        browser.choose(says.insurer).await;
        browser.press(says.send).await;
    }

    /// Pays the premium of an accepted application on the gateway's page.
    pub(crate) async fn pays(&mut self) {
        assert_eq!(self.browser.heading().await, self.says.premium_title);
        self.looks_good("8-premium").await;
        self.browser.press(self.says.pay).await;
        let gateway = opens_gateway(self.app, self.browser).await;
        self.looks_good("8-gateway").await;
        self.browser.press("Pay ₹").await;
        is_issued(self.browser, self.says).await;
        let address = self.browser.url().await.replace(&gateway.base, &self.app.base);
        self.browser.open(&address).await;
    }

    /// The whole way to the application for a plan.
    pub(crate) async fn applies_for(&mut self, plan: Plan) {
        self.arrives().await;
        self.asks().await;
        self.chooses(plan).await;
        self.tells_details().await;
        self.applies().await;
    }
}

/// Opens the page of the fictional gateway, which another server on the same store serves.
pub(crate) async fn opens_gateway(app: &App, browser: &Browser) -> Server {
    let gateway = app.serves_demo();
    let address = browser.url().await;
    assert!(address.contains("/demo/pay?order="), "{address}");
    browser.open(&address.replace(&app.base, &gateway.base)).await;
    gateway
}

/// Waits until the page shows that the policy is issued.
pub(crate) async fn is_issued(browser: &Browser, says: Says) {
    let issued = async || {
        if browser.heading().await == says.insured_title {
            return Some(());
        }
        browser.reload().await;
        None
    };
    browser.eventually(issued).await.expect("the policy is issued once the premium has come");
}
