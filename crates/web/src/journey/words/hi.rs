//! The pages' texts in Hindi.

use std::fmt::Write;

use domain::date::LeastAge;
use domain::health_quote::{NotOffered, Relation};
use domain::language::Language;
use domain::money::Rupees;
use domain::operator::OperatorKind;
use domain::ranking::Reason;

use super::en::{
    CompareWords, CoverWords, DetailsWords, ErrorsWords, FormWords, FormatWords, FrameWords, HomeWords,
    OfferWords, PeopleWords, PlanWords, PlansWords, PriceChangeWords, PriceStepsWords, ReviewWords,
    StatusWords, WhoWords,
};
use super::{Seller, Words, day_in_words};
use crate::journey::amount;

pub(super) static WORDS: Words = Words {
    language: Language::Hindi,
    name: "हिन्दी",
    format: FormatWords {
        digits: ['०', '१', '२', '३', '४', '५', '६', '७', '८', '९'],
        full_stop: '।',
        years: |years| format!("{years} साल"),
        day: |day| day_in_words(day, &MONTHS),
        lakh: |number| format!("₹{number} लाख"),
        crore: |number| format!("₹{number} करोड़"),
        percent: |number| format!("{number}%"),
    },
    frame: FrameWords {
        health_insurance: "स्वास्थ्य बीमा",
        through: |partner| format!("{partner} के माध्यम से"),
        skip_to_content: "सीधे मुख्य भाग पर जाएँ",
        step_of: |step, of| format!("चरण {step} / {of}"),
        go_on: "आगे बढ़ें",
        go_back: "पीछे",
        change: "बदलें",
        back_to: |partner| format!("{partner} पर वापस जाएँ"),
        loads_nothing: "आवेदन करने तक आपके जवाब कूटबद्ध (एन्क्रिप्टेड) रखे जाते हैं, और आपकी आख़िरी विज़िट के एक दिन बाद मिटा दिए जाते हैं। यह पेज किसी और वेबसाइट से कुछ भी लोड नहीं करता।",
        sold_by: |Seller { name, kind, licence_number, licence_until }| {
            let kind = match kind {
                OperatorKind::Broker => "बीमा ब्रोकर",
                OperatorKind::CorporateAgent => "कॉर्पोरेट एजेंट",
                OperatorKind::WebAggregator => "बीमा वेब एग्रीगेटर",
                OperatorKind::MarketingFirm => "बीमा मार्केटिंग फ़र्म",
            };
            format!("आप {name} से खरीद रहे हैं: {kind}, लाइसेंस {licence_number}, {licence_until} तक मान्य।")
        },
        complaints_to: |officer| format!("शिकायत के लिए: {officer}"),
        privacy_notice: "गोपनीयता सूचना",
        terms: "उपयोग की शर्तें",
    },
    form: FormWords {
        choose_one: "चुनें",
        optional: |label| format!("{label} (वैकल्पिक)"),
        errors_heading: "कुछ जानकारी ठीक करें",
        yes: "हाँ",
        no: "नहीं",
    },
    people: PeopleWords {
        you: "आप",
        spouse: "आपके पति या पत्नी",
        father: "आपके पिता",
        mother: "आपकी माता",
        daughter: "आपकी बेटी",
        son: "आपका बेटा",
        person_of_age: |person, age| format!("{person}, उम्र {age} साल"),
        baby: |person| format!("{person}, उम्र 1 साल से कम"),
        female: "महिला",
        male: "पुरुष",
        another_gender: "अन्य",
        nominee_spouse: "पति या पत्नी",
        nominee_father: "पिता",
        nominee_mother: "माता",
        nominee_son: "बेटा",
        nominee_daughter: "बेटी",
        nominee_brother: "भाई",
        nominee_sister: "बहन",
        nominee_other: "कोई और",
    },
    who: WhoWords {
        title: "किसके लिए बीमा चाहिए?",
        lead: "जिन-जिन का बीमा करना है, उनकी उम्र लिखें; बाकी खाली छोड़ दें। कीमतें दिखाने से पहले नाम या नंबर नहीं पूछा जाता।",
        own_age: "आपकी उम्र",
        spouses_age: "आपके पति या पत्नी की उम्र",
        fathers_age: "आपके पिता की उम्र",
        mothers_age: "आपकी माता की उम्र",
        age: "उम्र",
        children: "बच्चे",
        children_hint: "एक साल से छोटे शिशु के लिए 0 लिखें।",
        child: |number| format!("बच्चा {number}"),
        son_or_daughter: "बेटा या बेटी",
        a_son: "बेटा",
        a_daughter: "बेटी",
        add_child: "एक और बच्चा जोड़ें",
        age_wanted: |person| format!("{person}: उम्र 0 से 120 के बीच पूरे सालों में लिखें, या खाली छोड़ दें"),
        adult_age_wanted: |person| format!("{person}: उम्र 18 से 120 साल के बीच होनी चाहिए"),
        child_kind_wanted: |child| format!("{child}: बताएँ कि बेटा है या बेटी"),
        child_age_wanted: |child| format!("{child}: उम्र लिखें, या “बेटा या बेटी” का चुनाव हटा दें"),
        person_wanted: "कम से कम एक व्यक्ति की उम्र लिखें",
        parents_older: "माता-पिता की उम्र आपसे ज़्यादा होनी चाहिए: दोनों उम्र जाँच लें",
    },
    home: HomeWords {
        title: "आप कहाँ रहते हैं, और आपका स्वास्थ्य",
        pincode: "आपके घर का पिन कोड",
        pincode_hint: "6 अंक। अलग-अलग शहरों में कीमतें अलग होती हैं।",
        pincode_wanted: "अपने घर का पिन कोड लिखें: 6 अंक, पहला अंक 0 नहीं हो सकता",
        illness_question: "क्या बीमा में शामिल किसी व्यक्ति को कोई बीमारी है, या किसी की कोई दवा नियमित चल रही है?",
        illness_why: "सब कुछ बताएँ: छिपाई गई बीमारी के कारण क्लेम अस्वीकार हो सकता है। बीमारी होने पर ज़्यादातर प्लान महँगे हो जाते हैं, और कुछ प्लान मिलते ही नहीं।",
        illness_answer_wanted: "बताएँ कि किसी को बीमारी है या नहीं: हाँ या नहीं",
        which_illnesses: |person| format!("{person}: कौन-कौन सी बीमारियाँ?"),
        illnesses_wanted: "चुनें कि किसे कौन-सी बीमारी है; सूची में न हो तो “कोई और बीमारी” चुनें",
        illness_contradiction: "आपने कहा कि किसी को बीमारी नहीं है, फिर भी कुछ बीमारियाँ चुनीं: दोनों में से एक बदलें",
        porting_question: "क्या आपके पास अभी कोई स्वास्थ्य बीमा पॉलिसी है जिसे आप दूसरी बीमा कंपनी में ले जाना (पोर्ट करना) चाहते हैं?",
        porting_why: "पोर्ट करने पर नई बीमा कंपनी, पुरानी कंपनी से पुष्टि के बाद, पूरी की गई प्रतीक्षा अवधि भी गिनती है।",
        porting_answer_wanted: "बताएँ कि आप कोई पॉलिसी पोर्ट करना चाहते हैं या नहीं: हाँ या नहीं",
        porting_years: "पॉलिसी कितने साल से चल रही है",
        porting_years_wanted: "साल 0 से 100 के बीच पूरी संख्या में लिखें, या खाली छोड़ दें",
    },
    cover: CoverWords {
        title: "कितना बीमा चाहिए?",
        plan_question: "किस तरह का बीमा?",
        base: "सामान्य प्लान: पहले रुपये से भुगतान",
        base_hint: "उनके लिए जिनके पास स्वास्थ्य बीमा नहीं है, या कम राशि का है।",
        super_top_up: "एक तय राशि से ऊपर का खर्च; उस राशि तक का खर्च आप या आपकी दूसरी पॉलिसी उठाए",
        super_top_up_hint: "सुपर टॉप-अप: साल भर के अस्पताल के बिल उस राशि से ऊपर जाएँ, तो ऊपर का हिस्सा यह प्लान देता है। यह काफ़ी सस्ता होता है।",
        plan_wanted: "बीमे का प्रकार चुनें",
        sum_question: "एक साल की बीमा राशि",
        sum_hint: "साल भर में ज़्यादा से ज़्यादा मिलने वाली राशि, सभी बीमित सदस्यों के लिए मिलाकर; कुछ प्लान यह राशि हर सदस्य को अलग देते हैं। शहर के अस्पताल में लंबे इलाज का खर्च ₹5 लाख से ₹10 लाख तक हो सकता है।",
        sum_wanted: "बीमा राशि चुनें",
        sum_usual: "हमारा सुझाव",
        sum_not_with_plan: "इस तरह के किसी प्लान में यह बीमा राशि नहीं है: दूसरी चुनें",
        deductible_question: "सुपर टॉप-अप में साल भर में आपकी ओर से दी जाने वाली राशि (डिडक्टिबल)",
        deductible_hint: "न चुनने पर हर प्लान अपनी सबसे कम राशि के साथ दिखाया जाता है।",
        deductible_wanted: "सूची में से राशि चुनें, या कुछ न चुनें",
        deductible_open: "हर प्लान की सबसे कम राशि",
        see_plans: "प्लान और कीमतें देखें",
        nothing_sold: "अभी यहाँ कोई हेल्थ प्लान उपलब्ध नहीं है। कृपया फिर कभी आएँ।",
    },
    plans: PlansWords {
        title: "आपके लिए प्लान",
        asked_for: |cover, people| format!("{cover} – {people}"),
        at_pincode: |pincode| format!("पिन कोड {pincode}"),
        above_deductible: |sum, deductible| format!("{deductible} के ऊपर {sum}"),
        above_any_deductible: |sum| format!("आपकी ओर से दी जाने वाली राशि के ऊपर {sum}"),
        looking: "हम कीमतें पता कर रहे हैं। प्लान तैयार होते ही यहाँ दिखेंगे।",
        looked_at: |done, of| format!("{of} में से {done} प्लान देखे गए"),
        offered: |count, of| format!("{of} में से {count} प्लान आपके लिए उपलब्ध हैं"),
        none_offered: "ठीक ऐसा कोई प्लान नहीं है। कारण नीचे लिखे हैं; अक्सर बीमा राशि या शामिल सदस्य बदलने से प्लान मिल जाता है।",
        show_and_sort: "छाँटें और क्रम बदलें",
        sort_by: "क्रम",
        sort_best: "सुझाए गए प्लान पहले",
        sort_price: "सबसे कम प्रीमियम पहले",
        sort_wait: "सबसे छोटी प्रतीक्षा अवधि पहले",
        sort_claims: "सबसे ज़्यादा क्लेम निपटाने वाले पहले",
        only_with: "केवल ऐसे प्लान जिनमें हो",
        apply: "दिखाएँ",
        none_of_filter: "आपकी चुनी हुई सारी बातें किसी एक प्लान में नहीं हैं। कुछ हटाएँ।",
        how_ranked: "हम क्रम कैसे तय करते हैं",
        how_ranked_text: |price, claims, network, waiting, copay| {
            format!(
                "बीमा राशि के मुकाबले कीमत (100 में से {price}), निपटाए गए क्लेम ({claims}), कैशलेस अस्पताल ({network}), मौजूदा बीमारियों की प्रतीक्षा अवधि ({waiting}) और क्लेम में आपका हिस्सा ({copay})। ऊपर जगह पाने के लिए कोई पैसे नहीं देता।"
            )
        },
        premium_for: |years| format!("{years} के लिए, जीएसटी सहित"),
        compare_this: "तुलना में जोड़ें",
        compare_named: |plan| format!("तुलना में जोड़ें: {plan}"),
        compare_ticked: "चुने हुए प्लान की तुलना करें",
        compare_hint: "दो या तीन प्लान चुनकर उन्हें साथ-साथ देखें।",
        not_offered_title: |count| format!("जो प्लान आपके लिए उपलब्ध नहीं हैं ({count}): कारण देखें"),
        ask_again: "बीमा कंपनियों से फिर पूछें",
        some_failed: "कुछ बीमा कंपनियों से संपर्क नहीं हो सका।",
    },
    offer: OfferWords {
        recommended: "सुझाया गया",
        why_recommended: "यही क्यों:",
        see_plan: "प्लान देखें",
        see_plan_named: |plan| format!("प्लान देखें: {plan}"),
        sum_insured: "एक साल की बीमा राशि",
        deductible: "साल में पहले इतनी राशि आप देते हैं (डिडक्टिबल)",
        waiting: "पहले से मौजूद बीमारियाँ",
        covered_at_once: "पहले दिन से शामिल",
        covered_after: |months| format!("{months} महीने बाद शामिल"),
        copay: "हर क्लेम में आपका हिस्सा (को-पे)",
        no_copay: "कुछ नहीं",
        copay_later: |percent, age| format!("अभी कुछ नहीं, {age} साल की उम्र से {percent}%"),
        claims_settled: "निपटाए गए क्लेम (क्लेम सेटलमेंट अनुपात)",
        hospitals: "कैशलेस अस्पताल",
        not_offered,
        reason,
    },
    compare: CompareWords {
        title: "प्लान साथ-साथ",
        wanted: "पहले सूची में दो या तीन प्लान चुनें",
        first_three: "एक साथ ज़्यादा से ज़्यादा तीन प्लान दिखते हैं: ये पहले तीन हैं।",
        all_plans: "सभी प्लान",
        what: "क्या",
        remove: "हटाएँ",
        tag_yes: "हाँ",
        tag_no: "नहीं",
        insurer: "बीमा कंपनी",
        premium: "प्रीमियम",
    },
    plan: PlanWords {
        about_insurer: "बीमा कंपनी के बारे में",
        choose_years: "अवधि चुनें",
        choose_for: |years, premium| format!("{years} के लिए चुनें, {premium}"),
        a_year: |premium| format!("{premium} प्रति वर्ष"),
        saves: |percent| format!("प्रति वर्ष {percent}% कम"),
        what_is_covered: "क्या-क्या शामिल है",
        what_is_not: "क्या शामिल नहीं है",
        how_price_comes: "कीमत कैसे बनी",
        price_of_years: |years| format!("{years} के लिए"),
        priced_by_insurer: "यह कीमत बीमा कंपनी खुद निकालती है और हमें केवल परिणाम बताती है।",
        step_what: "चरण",
        step_change: "बदलाव",
        step_amount: "राशि",
        before_you_choose: "चुनने से पहले जान लें",
        free_look: |days| format!("फ़्री-लुक: पॉलिसी मिलने के {days} दिन के भीतर आप उसे लौटा सकते हैं।"),
        claims_to: "क्लेम के लिए:",
        information_sheet: "ग्राहक सूचना पत्र (CIS)",
        policy_wording: "पॉलिसी की शर्तें",
        brochure: "ब्रोशर",
        complaints_to: "शिकायत के लिए:",
        tenure_chart: "चुनी हुई अवधि के अनुसार एक साल का प्रीमियम",
        cover_chart: "बीमा राशि के अनुसार इस प्लान का 1 साल का प्रीमियम",
        chart_yours: "आपका चुनाव",
        uin: |number| format!("UIN {number}"),
        offline_plan: "यह प्लान पूरी तरह ऑनलाइन नहीं लिया जा सकता: आवेदन के बाद आपको फ़ोन किया जाएगा।",
    },
    price_steps: PriceStepsWords {
        rate_eldest: |from, to, sum| format!("सबसे बड़े सदस्य की दर, उम्र {from} से {to}, {sum} के लिए"),
        rate_other: |from, to, sum| format!("एक और सदस्य की दर, उम्र {from} से {to}, {sum} के लिए"),
        rate_member: |from, to, sum| format!("एक सदस्य की दर, उम्र {from} से {to}, {sum} के लिए"),
        rate_family: |from, to, sum| format!("परिवार की दर, सबसे बड़े सदस्य की उम्र {from} से {to}, {sum} के लिए"),
        family_discount: |count| format!("{count} लोगों के परिवार की छूट"),
        loading: "अतिरिक्त प्रीमियम",
        discount: "छूट",
        minimum: "न्यूनतम प्रीमियम",
        rounding: "पूर्णांकन",
        illnesses: "बीमारियों के लिए अतिरिक्त प्रीमियम",
        tenure: |years| format!("{years} के लिए"),
        tax_added: |percent, base| format!("{base} पर {percent}% जीएसटी"),
        tax_within: |percent, base| format!("दरों में {percent}% जीएसटी शामिल है, {base} पर"),
        no_tax: "कोई जीएसटी नहीं: इसकी दर शून्य है",
        exempt: "कोई जीएसटी नहीं: व्यक्तियों और परिवारों की पॉलिसी पर छूट है",
        tax_taken_out: |tax| format!("दरों में शामिल {tax} जीएसटी हटाकर"),
        paid_a_year: |amount| format!("+{amount} प्रति वर्ष"),
        at_least: |amount| format!("कम से कम {amount}"),
        to_the_rupee: "पूरे रुपये में",
        to_the_paisa: "पैसे तक",
    },
    details: DetailsWords {
        title: "आपका विवरण",
        lead: |plan, premium| format!("{plan} के लिए, {premium}। हर व्यक्ति के दस्तावेज़ों के अनुसार लिखें।"),
        about_you: "आपके बारे में (प्रस्तावक, जो प्रीमियम देते हैं)",
        full_name: "पूरा नाम",
        script_wanted: "अंग्रेज़ी या भारत की किसी लिपि में लिखें, जैसे हिन्दी या தமிழ்",
        full_name_wanted: |person| format!("{person}: पूरा नाम लिखें"),
        mobile: "मोबाइल नंबर",
        mobile_hint: "10 अंक। आवेदन के बारे में बीमा कंपनी इसी पर फ़ोन करेगी या संदेश भेजेगी।",
        mobile_wanted: "10 अंकों का मोबाइल नंबर लिखें",
        email: "ई-मेल",
        email_wanted: "ई-मेल पता लिखें, जैसे asha@example.in",
        birth_date: "जन्मतिथि",
        birth_hint: "दिन, महीना और साल, जैसे 27 3 1990",
        birth_day: "दिन",
        birth_month: "महीना",
        birth_year: "साल",
        birth_wanted: |person| format!("{person}: सही जन्मतिथि लिखें, आज से पहले की (साल 4 अंकों में)"),
        born_too_long_ago: |person| format!("{person}: साल जाँच लें, यह तारीख़ बहुत पुरानी है"),
        adult_wanted: "प्रस्ताव करने वाले की उम्र कम से कम 18 साल होनी चाहिए",
        gender: "लिंग",
        gender_contradicts: |person| format!("{person}: यह लिंग मेल नहीं खाता, कृपया जाँच लें"),
        older_wanted: |person| format!("{person}: जन्म आपके बाद का है, कृपया दोनों तारीख़ें जाँच लें"),
        younger_wanted: |person| format!("{person}: जन्म आपसे पहले का है, कृपया दोनों तारीख़ें जाँच लें"),
        gender_wanted: |person| format!("{person}: लिंग चुनें"),
        address: "पता",
        line_1: "मकान और गली",
        line_1_wanted: "मकान और गली लिखें",
        line_2: "इलाका",
        line_2_wanted: "इलाके का नाम बहुत लंबा है या उसमें ऐसे अक्षर हैं जो छप नहीं सकते",
        city: "शहर, कस्बा या गाँव",
        city_wanted: "शहर लिखें",
        state: "राज्य",
        state_wanted: "राज्य लिखें",
        country: "देश",
        country_wanted: "देश लिखें",
        insured_person: |person| format!("बीमित सदस्य: {person}"),
        you_are_insured: "आपका बीमा इसी जानकारी से होगा; और कुछ नहीं भरना है।",
        declared_illnesses: |illnesses| format!("बताई गई बीमारियाँ: {illnesses}"),
        nominee: "नॉमिनी",
        nominee_lead: "आपके न रहने पर बीमा कंपनी से पैसा किसे मिले।",
        nominee_relation: "नॉमिनी आपके क्या लगते हैं",
        nominee_relation_wanted: "चुनें कि नॉमिनी आपके क्या लगते हैं",
        nominee_person: "नॉमिनी",
        nominee_mobile: "नॉमिनी का मोबाइल नंबर",
        refunds: "रिफ़ंड के लिए बैंक खाता",
        refunds_lead: "केवल अगर आप चाहें: कोई राशि लौटानी हो तो बीमा कंपनी इसी खाते में भेजेगी। इस खाते से कुछ नहीं काटा जाता।",
        account_number: "खाता संख्या",
        account_number_wanted: "खाता संख्या लिखें: 9 से 18 अंक",
        ifsc: "IFSC",
        ifsc_hint: "11 अक्षर, हर चेक पर लिखे होते हैं",
        ifsc_wanted: "IFSC लिखें: 4 अक्षर, एक शून्य, और 6 अक्षर या अंक",
        bank_name: "बैंक",
        bank_name_wanted: "बैंक का नाम लिखें",
        branch_name: "शाखा",
        branch_name_wanted: "शाखा का नाम बहुत लंबा है या उसमें ऐसे अक्षर हैं जो छप नहीं सकते",
    },
    price_change: PriceChangeWords {
        title: "कीमत फिर से देखी जा रही है",
        waiting: "आपका विवरण उस जानकारी से अलग है जिस पर पहली कीमत बनी थी, या वह कीमत अब मान्य नहीं है। हम कीमत फिर से पता कर रहे हैं; थोड़ा समय लगेगा।",
        changed_title: "कीमत बदल गई है",
        changed_text: "आपकी दी हुई जन्मतिथि और पिन कोड के अनुसार, या पहली कीमत की अवधि बीत जाने से, इस प्लान की कीमत अब अलग है। आपकी सहमति के बिना कुछ भी नहीं खरीदा जाएगा।",
        same: "हमने कीमत फिर से पता की: वह अब भी वही है।",
        before: "पहले",
        now: "अब",
        calculated_for: "किनके लिए",
        accept_price: |premium| format!("{premium} के साथ आगे बढ़ें"),
        other_plans: "दूसरे प्लान देखें",
        correct_details: "अपना विवरण सुधारें",
        gone_title: "यह प्लान अब आपके लिए उपलब्ध नहीं है",
        gone_text: "आपकी दी हुई जन्मतिथि और पिन कोड के साथ बीमा कंपनी यह प्लान नहीं देती।",
    },
    review: ReviewWords {
        title: "अपने जवाब जाँचें",
        lead: "नीचे का बटन दबाने से पहले कुछ भी नहीं भेजा जाता।",
        your_plan: "आपका प्लान",
        your_price: "आपकी कीमत",
        base_premium: "जीएसटी के बिना प्रीमियम",
        gst: "जीएसटी",
        gst_nil: "जीएसटी (शून्य)",
        gst_exempt: "जीएसटी (छूट)",
        to_pay_for: |years| format!("{years} के लिए कुल भुगतान"),
        how_paid: "प्रीमियम का भुगतान",
        when_starts: "बीमा कब शुरू होता है",
        starts_on_acceptance: |day, years| {
            format!("जिस दिन बीमा कंपनी आवेदन स्वीकार करेगी, उसी दिन से (आज स्वीकार हुआ तो {day} से), {years} के लिए।")
        },
        ports_policy: "आप दूसरी बीमा कंपनी से अपनी पॉलिसी ला रहे हैं (पोर्ट)।",
        ports_policy_of: |years| {
            format!(
                "आप दूसरी बीमा कंपनी से अपनी पॉलिसी ला रहे हैं (पोर्ट), जो {years} साल से चल रही है। पूरी की गई प्रतीक्षा अवधि गिनने से पहले नई कंपनी पुरानी कंपनी से पूछती है।"
            )
        },
        insured_people: "बीमित व्यक्ति",
        born_on: |day| format!("जन्म {day}"),
        no_illness_declared: "कोई बीमारी नहीं बताई",
        proposer: "प्रस्तावक",
        refund_account: |account| format!("रिफ़ंड इस खाते में: …{account}"),
        your_consent: "आप किस बात से सहमत हैं",
        consent_declaration: "आपने जो बताया है, खासकर बीमारियों के बारे में, वह सच और पूरा है। आपको पता है कि ऐसा न होने पर बीमा कंपनी क्लेम अस्वीकार कर सकती है या पॉलिसी समाप्त कर सकती है।",
        consent_insurer: |insurer, partner, operator| {
            let operator = operator.unwrap_or("इन पेजों के संचालक");
            format!(
                "आप सहमत हैं कि आपके जवाब, बीमारियों सहित, {insurer} को भेजे जाएँ, जो आपके आवेदन पर निर्णय लेगी और पॉलिसी से जुड़ी सेवाएँ देगी। {partner} और {operator}, जो आवेदन की प्रक्रिया देखते हैं, इसे देख सकते हैं।"
            )
        },
        consent_messages: "आपकी पॉलिसी के बारे में संदेश, जैसे नवीनीकरण की याद, SMS या WhatsApp पर भेजे जा सकते हैं।",
        consent_needed: "ज़रूरी",
        consent_free: "वैकल्पिक",
        declaration_wanted: "इस घोषणा के बिना कोई बीमा कंपनी आवेदन नहीं लेती: सही हो तो इसे चुनें",
        insurer_wanted: "जवाब भेजने की अनुमति के बिना आवेदन नहीं हो सकता: सहमत हों तो इसे चुनें",
        send_application: "आवेदन भेजें",
        sending: "भेजा जा रहा है …",
    },
    status: StatusWords {
        accepted_title: "आपकी पॉलिसी जारी हो गई है",
        accepted_text: |insurer, starts, ends| {
            format!("{insurer} ने आपका आवेदन स्वीकार कर लिया है। बीमा {starts} से {ends} तक है।")
        },
        waiting_title: "आपका आवेदन भेज दिया गया है",
        waiting_text: |insurer| {
            format!("आपका आवेदन {insurer} को भेजा जाता है, जो इस पर निर्णय लेगी। अभी आपका बीमा नहीं हुआ है।")
        },
        offline_title: "आपके आवेदन की जाँच हो रही है",
        offline_text: |insurer| {
            format!(
                "{insurer} के प्लान के लिए आपके आवेदन की जाँच की जा रही है; ज़रूरत होने पर आपको फ़ोन किया जाएगा। अभी आपका बीमा नहीं हुआ है।"
            )
        },
        rejected_title: "आपका आवेदन स्वीकार नहीं हुआ",
        rejected_text: |insurer| format!("{insurer} ने यह आवेदन अस्वीकार कर दिया है। कुछ भी नहीं खरीदा गया।"),
        cancelled_title: "इस प्लान के लिए आवेदन नहीं हो सकता",
        cancelled_text: "आपका आवेदन बीमा कंपनी तक पहुँचने से पहले ही समाप्त हो गया। कुछ भी नहीं खरीदा गया।",
        reason: "कारण:",
        keep_this_address: "इस पेज का लिंक सँभालकर रखें, जैसे बुकमार्क में: इससे आप 90 दिनों तक किसी भी फ़ोन या कंप्यूटर पर आवेदन की स्थिति देख सकते हैं। उसके बाद यह आपकी जन्मतिथि पूछेगा। जिसके पास यह लिंक होगा, वह भी यही देख सकेगा।",
        link_to_status: "आपके आवेदन का लिंक",
        ended_title: "क्या यह आपका आवेदन है?",
        ended_text: "यह लिंक 90 दिन से पुराना है। आवेदन करने वाले व्यक्ति की जन्मतिथि लिखें, तो यह फिर से खुल जाएगा।",
        open_again: "अपना आवेदन खोलें",
        other_birth_date: "आवेदन में यह जन्मतिथि नहीं है",
        too_many_dates: "बहुत सी तारीखें आज़माई जा चुकी हैं। कृपया कल फिर कोशिश करें",
        good_to_know: "जान लें",
        policy_number: "पॉलिसी नंबर",
        insurers_number: "बीमा कंपनी का पॉलिसी नंबर",
        application_number: "आवेदन नंबर",
        open_certificate: "प्रमाणपत्र खोलें (PDF)",
        certificate_language: "प्रमाणपत्र अंग्रेज़ी में है।",
        what_happened: "अब तक क्या हुआ",
        at_time: |day, time| format!("{day}, {time}"),
        moved_initiated: "आपने आवेदन भेजा",
        moved_pending: "हमारी जाँच में सही पाया गया",
        moved_submitted: "बीमा कंपनी को सौंपा गया",
        moved_offline: "आगे की प्रक्रिया ऑफ़लाइन चल रही है",
        moved_underwriting: "बीमा कंपनी इसे देख रही है",
        moved_accepted: "बीमा कंपनी ने स्वीकार किया: पॉलिसी जारी हुई",
        moved_rejected: "बीमा कंपनी ने अस्वीकार किया",
        moved_cancelled: "प्लान के नियमों के कारण आगे नहीं बढ़ सका",
        another_plan: "दूसरा प्लान चुनें",
        cover_others: "नया आवेदन शुरू करें",
        look_again: "फिर से देखें",
        still_needed: |settlement| format!("प्रीमियम का भुगतान: {settlement}"),
        issuing_title: "आपका प्रीमियम मिल गया है",
        issuing_text: "आपकी पॉलिसी जारी की जा रही है। जारी होते ही यह पेज उसे दिखाएगा।",
        premium_title: "स्वीकार हुआ: अब केवल आपका प्रीमियम बाकी है",
        premium_text: |insurer| {
            format!(
                "{insurer} ने आपका आवेदन स्वीकार कर लिया है। जिस दिन आपका प्रीमियम मिलेगा, उसी दिन से आपका बीमा शुरू होगा।"
            )
        },
        premium_due: |due, insurer| {
            format!(
                "आपका {due} का प्रीमियम बाकी है। यह भुगतान {insurer} को होता है; प्रीमियम मिलने से पहले बीमा शुरू नहीं होता।"
            )
        },
        pay_by: |day| format!("{day} तक भुगतान करें। उसके बाद आपका आवेदन समाप्त हो जाएगा।"),
        renewal_void: "यह नवीनीकरण अब मान्य नहीं है, क्योंकि पॉलिसी बदल गई है या इसका समय निकल गया है। कृपया इसका भुगतान न करें: नया नवीनीकरण माँगें।",
        premium_later: |due| {
            format!("आपका {due} का प्रीमियम आवेदन स्वीकार होने के बाद देना है। उससे पहले कृपया भुगतान न करें।")
        },
        premium_received: |amount| format!("आपका {amount} का प्रीमियम मिल गया है।"),
        premium_mismatch: |came, due| {
            format!(
                "{came} मिले हैं, जबकि आपका प्रीमियम {due} है। हम इसे देख रहे हैं और आपको फ़ोन करेंगे; आपका पैसा सुरक्षित है।"
            )
        },
        premium_refund_due: |amount| format!("आपके चुकाए हुए {amount} आपको लौटाए जाएँगे।"),
        premium_refunded: |amount| format!("{amount} आपको लौटा दिए गए हैं।"),
        pay_now: "प्रीमियम चुकाएँ",
        pay_insurer: "बीमा कंपनी के पेज पर चुकाएँ",
    },
    errors: ErrorsWords {
        wrong_title: "यह लिंक नहीं खुलता",
        wrong_text: "लिंक अधूरा है, या किसी और काम के लिए बना था। जिस ऐप या वेबसाइट से आप आए थे, वहाँ जाकर स्वास्थ्य बीमा फिर से खोलें।",
        used_title: "यह लिंक पहले ही इस्तेमाल हो चुका है",
        used_text: "हर लिंक एक बार, एक ही ब्राउज़र में खुलता है, ताकि कोई और आपके जवाब न पढ़ सके। अगर आपने किसी और ब्राउज़र या टैब में शुरू किया था, तो वहीं जारी रखें; नहीं तो जहाँ से आए थे वहाँ से फिर खोलें।",
        expired_title: "यह लिंक पुराना हो चुका है",
        expired_text: "लिंक एक घंटे तक चलता है। जहाँ से आए थे वहाँ जाकर स्वास्थ्य बीमा फिर से खोलें; आपकी कोई जानकारी नहीं खोई है।",
        disabled_title: "यहाँ अभी स्वास्थ्य बीमा उपलब्ध नहीं है",
        disabled_text: |partner| format!("{partner} अभी यह सुविधा नहीं दे रहा है। कृपया वहीं पूछें।"),
        over_title: "आपकी विज़िट समाप्त हो गई है",
        over_text: "हम जवाब एक दिन तक, उसी ब्राउज़र में रखते हैं जिसमें वे दिए गए थे। जहाँ से आए थे वहाँ जाकर स्वास्थ्य बीमा फिर से खोलें। भेजा हुआ आवेदन सुरक्षित है: उसका अपना लिंक अब भी काम करता है।",
        cookies_title: "आपके ब्राउज़र में हमारी कुकी सेव नहीं हो रही",
        cookies_text: "एक पेज से दूसरे पेज तक आपके जवाब पहचानने के लिए इन पेजों को एक कुकी चाहिए। जहाँ से आए थे वहाँ से इसे अलग टैब में खोलें, इस पते के लिए कुकी की अनुमति दें, या किसी और ब्राउज़र का उपयोग करें।",
        missing_title: "ऐसा कोई पेज नहीं है",
        missing_text: "लिंक अधूरा है या गलत लिखा गया है।",
        too_often_title: "कृपया एक क्षण रुकें",
        too_often_text: "थोड़े ही समय में यह कई बार किया गया। अब तक के आपके जवाब सुरक्षित हैं। कृपया एक मिनट बाद आगे बढ़ें।",
        trouble_title: "यहाँ कुछ गड़बड़ हो गई",
        trouble_text: "इसमें आपकी गलती नहीं है, और जो आप भेज चुके थे वह सुरक्षित है। कृपया थोड़ी देर में फिर कोशिश करें।",
        foreign_form_title: "यह फ़ॉर्म हमारे पेज से नहीं भेजा गया",
        foreign_form_text: "कुछ भी नहीं बदला गया। पेज फिर से खोलें और फ़ॉर्म वहीं से भेजें।",
        begin_again: "अपने जवाबों के साथ आगे बढ़ें",
        error_number: |id| format!("मदद माँगते समय यह नंबर बताएँ: {id}"),
    },
};

const MONTHS: [&str; 12] =
    ["जनवरी", "फ़रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर", "अक्टूबर", "नवंबर", "दिसंबर"];

/// Why a plan is not offered to a family. An insurer's own words are not translated.
fn not_offered(why: &NotOffered) -> String {
    match why {
        NotOffered::Age { least, most } => format!("यह प्लान {least} से {most} साल के वयस्कों के लिए है।"),
        NotOffered::ChildAge { least, most } => {
            format!("इस प्लान में {least} से {most} साल तक के बच्चे शामिल हो सकते हैं।")
        }
        NotOffered::ChildAgeFrom { least, most } => {
            let least = match least {
                LeastAge::Days(days) => format!("{days} दिन"),
                LeastAge::Months(months) => format!("{months} महीने"),
            };
            format!("इस प्लान में {least} से {most} साल तक के बच्चे शामिल हो सकते हैं।")
        }
        NotOffered::Family => "यह प्लान इतने बड़े या इस तरह के परिवार के लिए नहीं है।".to_owned(),
        NotOffered::Relation(relation) => {
            let who = match relation {
                Relation::Own => "आप",
                Relation::Spouse => "पति या पत्नी",
                Relation::Father => "पिता",
                Relation::Mother => "माता",
                Relation::Daughter => "बेटी",
                Relation::Son => "बेटे",
            };
            format!("इस प्लान में {who} को शामिल नहीं किया जा सकता।")
        }
        NotOffered::Zone => "यह प्लान इस पिन कोड पर नहीं मिलता।".to_owned(),
        NotOffered::SumInsured => "यह प्लान इस बीमा राशि के साथ नहीं मिलता।".to_owned(),
        NotOffered::Deductible => "यह प्लान इस डिडक्टिबल के साथ नहीं मिलता।".to_owned(),
        NotOffered::Illness => "बताई गई बीमारियों में से किसी एक के होने पर यह प्लान नहीं मिलता।".to_owned(),
        NotOffered::TooLarge => "इतने बड़े बीमे की कीमत नहीं निकाली जा सकती।".to_owned(),
        NotOffered::InsurerRefused(reason) => reason.clone(),
        NotOffered::InsurerFailed => "बीमा कंपनी अभी कीमत नहीं बता सकी। कृपया थोड़ी देर बाद फिर देखें।".to_owned(),
        NotOffered::InsurerSlow => "बीमा कंपनी ने समय पर जवाब नहीं दिया। कृपया थोड़ी देर बाद फिर देखें।".to_owned(),
    }
}

/// Why a plan has its position in the ranking, as one sentence.
fn reason(reason: &Reason) -> String {
    let (facts, cheaper, offers) = (reason.facts(), reason.cheaper(), reason.offers());
    let mut text = match (cheaper, offers) {
        (_, 1) => "एकमात्र उपलब्ध प्लान".to_owned(),
        (0, of) => format!("{of} प्लान में सबसे कम प्रीमियम"),
        (cheaper, of) if cheaper + 1 == of => format!("{of} प्लान में सबसे ज़्यादा प्रीमियम"),
        (cheaper, of) => format!("{of} में से केवल {cheaper} प्लान इससे सस्ते"),
    };
    let mut add = |part: std::fmt::Arguments<'_>| {
        let _ = write!(text, "; {part}");
    };
    if facts.deductible > Rupees::ZERO {
        add(format_args!("साल के बिलों में पहले {} आप खुद देते हैं", facts.deductible.grouped()));
    }
    add(format_args!("बीमा कंपनी ने {}% क्लेम निपटाए", facts.claim_ratio.normalize()));
    let hospitals = amount::count(facts.network_hospitals);
    add(format_args!("{hospitals} अस्पतालों में बिना अग्रिम भुगतान (कैशलेस) इलाज"));
    match facts.waiting_months {
        0 => add(format_args!("पहले से मौजूद बीमारियाँ पहले दिन से शामिल")),
        months => add(format_args!("पहले से मौजूद बीमारियाँ {months} महीने बाद शामिल")),
    }
    match facts.copay_percent {
        0 => add(format_args!("क्लेम में आपको कोई हिस्सा नहीं देना होता")),
        percent => add(format_args!("हर क्लेम का {percent}% आप देते हैं")),
    }
    text + "।"
}
