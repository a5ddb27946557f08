//! What the domain says in English by itself, in Hindi.

use std::fmt::Write;

use domain::health_quote::{NotOffered, Relation};
use domain::money::Rupees;
use domain::ranking::Reason;

/// Why a plan offers a family nothing. An insurer's own words stay as they are: they are not ours to translate.
pub(super) fn not_offered(why: &NotOffered) -> String {
    match why {
        NotOffered::Age { least, most } => format!("यह प्लान {least} से {most} साल के वयस्कों के लिए है।"),
        NotOffered::ChildAge { least, most } => {
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

/// Why a plan stands where it does, as one sentence.
pub(super) fn reason(reason: &Reason) -> String {
    let (facts, cheaper, offers) = (reason.facts(), reason.cheaper(), reason.offers());
    let mut told = match (cheaper, offers) {
        (_, 1) => "एकमात्र उपलब्ध प्लान".to_owned(),
        (0, of) => format!("{of} प्लान में सबसे कम प्रीमियम"),
        (cheaper, of) if cheaper + 1 == of => format!("{of} प्लान में सबसे ज़्यादा प्रीमियम"),
        (cheaper, of) => format!("{of} में से केवल {cheaper} प्लान इससे सस्ते"),
    };
    let mut add = |part: std::fmt::Arguments<'_>| {
        let _ = write!(told, "; {part}");
    };
    if facts.deductible > Rupees::ZERO {
        add(format_args!("साल के बिलों में पहले {} आप खुद देते हैं", facts.deductible.grouped()));
    }
    add(format_args!("बीमा कंपनी ने {}% क्लेम निपटाए", facts.claim_ratio.normalize()));
    let hospitals = crate::journey::amount::count(facts.network_hospitals);
    add(format_args!("{hospitals} अस्पतालों में बिना अग्रिम भुगतान (कैशलेस) इलाज"));
    match facts.waiting_months {
        0 => add(format_args!("पहले से मौजूद बीमारियाँ पहले दिन से शामिल")),
        months => add(format_args!("पहले से मौजूद बीमारियाँ {months} महीने बाद शामिल")),
    }
    match facts.copay_percent {
        0 => add(format_args!("क्लेम में आपको कोई हिस्सा नहीं देना होता")),
        percent => add(format_args!("हर क्लेम का {percent}% आप देते हैं")),
    }
    told + "।"
}
