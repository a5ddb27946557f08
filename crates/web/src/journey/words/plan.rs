//! Words of the page of one plan, and of its facts wherever they stand.

use super::words;

words! {
    insurer: "Insurer", "बीमा कंपनी";
    premium: "Premium", "प्रीमियम";
    sum_insured: "Sum insured in a year", "एक साल की बीमा राशि";
    deductible: "Deductible: you pay first in a year", "साल में पहले इतनी राशि आप देते हैं (डिडक्टिबल)";
    waiting: "Pre-existing diseases", "पहले से मौजूद बीमारियाँ";
    covered_at_once: "covered from the first day", "पहले दिन से शामिल";
    covered_after(months): "covered after {months} months", "{months} महीने बाद शामिल";
    copay: "Your share of every claim (co-pay)", "हर क्लेम में आपका हिस्सा (को-पे)";
    no_copay: "none", "कुछ नहीं";
    copay_later(percent, age): "none now, {percent}% from {age} years of age", "अभी कुछ नहीं, {age} साल की उम्र से {percent}%";
    percent(number): "{number}%", "{number}%";
    claims_settled: "Claim settlement ratio", "निपटाए गए क्लेम (क्लेम सेटलमेंट अनुपात)";
    hospitals: "Cashless hospitals", "कैशलेस अस्पताल";
    about_insurer: "About the insurer", "बीमा कंपनी के बारे में";
    choose_years: "Choose for how long", "अवधि चुनें";
    choose_for(years, premium): "Choose {years} for {premium}", "{years} के लिए चुनें, {premium}";
    a_year(premium): "{premium} a year", "{premium} प्रति वर्ष";
    saves(percent): "{percent}% less a year", "प्रति वर्ष {percent}% कम";
    what_is_covered: "What is covered", "क्या-क्या शामिल है";
    what_is_not: "What is not covered", "क्या शामिल नहीं है";
    how_price_comes: "How the price comes about", "कीमत कैसे बनी";
    price_of_years(years): "For {years}", "{years} के लिए";
    priced_by_insurer: "The insurer calculates this price itself and tells us only the result.", "यह कीमत बीमा कंपनी खुद निकालती है और हमें केवल परिणाम बताती है।";
    step_what: "Step", "चरण";
    step_change: "Change", "बदलाव";
    step_amount: "Amount", "राशि";
    before_you_choose: "Good to know before you choose", "चुनने से पहले जान लें";
    free_look(days): "Free look: you can cancel within {days} days of receiving the policy.", "फ़्री-लुक: पॉलिसी मिलने के {days} दिन के भीतर आप उसे लौटा सकते हैं।";
    claims_to: "To make a claim:", "क्लेम के लिए:";
    complaints_to: "For a complaint:", "शिकायत के लिए:";
    tenure_chart: "Premium per year, by policy period", "चुनी हुई अवधि के अनुसार एक साल का प्रीमियम";
    cover_chart: "Premium of this plan for 1 year, by sum insured", "बीमा राशि के अनुसार इस प्लान का 1 साल का प्रीमियम";
    chart_yours: "yours", "आपका चुनाव";
    uin(number): "UIN {number}", "UIN {number}";
    offline_plan: "This plan is not sold online alone: after your application somebody calls you.", "यह प्लान पूरी तरह ऑनलाइन नहीं लिया जा सकता: आवेदन के बाद आपको फ़ोन किया जाएगा।";

    step_rate_eldest(from, to, sum): "Rate of the eldest, ages {from} to {to}, for {sum}", "सबसे बड़े सदस्य की दर, उम्र {from} से {to}, {sum} के लिए";
    step_rate_other(from, to, sum): "Rate of a further member, ages {from} to {to}, for {sum}", "एक और सदस्य की दर, उम्र {from} से {to}, {sum} के लिए";
    step_rate_member(from, to, sum): "Rate of a member, ages {from} to {to}, for {sum}", "एक सदस्य की दर, उम्र {from} से {to}, {sum} के लिए";
    step_rate_family(from, to, sum): "Rate of the family, eldest of {from} to {to} years, for {sum}", "परिवार की दर, सबसे बड़े सदस्य की उम्र {from} से {to}, {sum} के लिए";
    step_family_discount(count): "Discount for a family of {count}", "{count} लोगों के परिवार की छूट";
    step_loading: "Additional premium", "अतिरिक्त प्रीमियम";
    step_discount: "Discount", "छूट";
    step_minimum: "Minimum premium", "न्यूनतम प्रीमियम";
    step_rounding: "Rounding", "पूर्णांकन";
    step_illnesses: "Additional premium for illnesses", "बीमारियों के लिए अतिरिक्त प्रीमियम";
    step_tenure(years): "For {years}", "{years} के लिए";
    step_tax_added(percent, base): "Tax of {percent}% on {base}", "{base} पर {percent}% कर";
    step_tax_within(percent, base): "{percent}% tax are in the rates, on {base}", "दरों में {percent}% कर शामिल है, {base} पर";
    step_no_tax: "No tax: policies of individuals and families are exempt", "कोई कर नहीं: व्यक्तियों और परिवारों की पॉलिसी कर-मुक्त है";
    step_tax_taken_out(tax): "Without the tax of {tax} that was in the rates", "दरों में शामिल {tax} कर हटाकर";
    paid_a_year(amount): "+{amount} a year", "+{amount} प्रति वर्ष";
    at_least(amount): "at least {amount}", "कम से कम {amount}";
    to_the_rupee: "to the rupee", "पूरे रुपये में";
    to_the_paisa: "to the paisa", "पैसे तक";
}
