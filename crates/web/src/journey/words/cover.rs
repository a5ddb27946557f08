//! Words of the page that asks what is to be covered.

use super::words;

words! {
    cover_title: "How much cover?", "कितना बीमा चाहिए?";
    plan_question: "What kind of cover?", "किस तरह का बीमा?";
    base: "A regular plan, from the first rupee", "सामान्य प्लान: पहले रुपये से भुगतान";
    base_hint: "For those without health insurance, or with little of it.", "उनके लिए जिनके पास स्वास्थ्य बीमा नहीं है, या कम राशि का है।";
    super_top_up: "Above an amount that you, or another policy, pay yourself", "एक तय राशि से ऊपर का खर्च; उस राशि तक का खर्च आप या आपकी दूसरी पॉलिसी उठाए";
    super_top_up_hint: "A super top-up: it pays the part of a year’s hospital bills that is above that amount. It costs much less.", "सुपर टॉप-अप: साल भर के अस्पताल के बिल उस राशि से ऊपर जाएँ, तो ऊपर का हिस्सा यह प्लान देता है। यह काफ़ी सस्ता होता है।";
    plan_wanted: "Choose a kind of cover", "बीमे का प्रकार चुनें";
    sum_question: "Sum insured in a year", "एक साल की बीमा राशि";
    sum_hint: "The most that is paid in a year, for all who are covered together; a few plans give it to each of them. A long stay in a city hospital can cost ₹5 lakh to ₹10 lakh.", "साल भर में ज़्यादा से ज़्यादा मिलने वाली राशि, सभी बीमित सदस्यों के लिए मिलाकर; कुछ प्लान यह राशि हर सदस्य को अलग देते हैं। शहर के अस्पताल में लंबे इलाज का खर्च ₹5 लाख से ₹10 लाख तक हो सकता है।";
    sum_wanted: "Choose a sum insured", "बीमा राशि चुनें";
    sum_usual: "our suggestion", "हमारा सुझाव";
    sum_not_with_plan: "No plan of that kind has this sum insured: choose another", "इस तरह के किसी प्लान में यह बीमा राशि नहीं है: दूसरी चुनें";
    deductible_question: "Amount that you pay yourself in a year, for a super top-up", "सुपर टॉप-अप में साल भर में आपकी ओर से दी जाने वाली राशि (डिडक्टिबल)";
    deductible_hint: "Left open, each plan is shown with its smallest.", "न चुनने पर हर प्लान अपनी सबसे कम राशि के साथ दिखाया जाता है।";
    deductible_wanted: "Choose an amount of the list, or leave it open", "सूची में से राशि चुनें, या कुछ न चुनें";
    deductible_open: "The smallest of each plan", "हर प्लान की सबसे कम राशि";
    see_plans: "See plans and prices", "प्लान और कीमतें देखें";
    lakh(number): "₹{number} lakh", "₹{number} लाख";
    crore(number): "₹{number} crore", "₹{number} करोड़";
    nothing_sold: "No health plan is offered here just now. Please come back another time.", "अभी यहाँ कोई हेल्थ प्लान उपलब्ध नहीं है। कृपया फिर कभी आएँ।";
}
