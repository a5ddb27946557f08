//! Words of the page that says what became of an application.

use super::words;

words! {
    accepted_title: "You are insured", "आपका बीमा हो गया";
    accepted_text(insurer, starts, ends): "{insurer} has accepted. Cover runs from {starts} to {ends}.", "{insurer} ने स्वीकार कर लिया है। बीमा {starts} से {ends} तक है।";
    waiting_title: "Your application is on its way", "आपका आवेदन भेज दिया गया है";
    waiting_text(insurer): "{insurer} has your application and decides on it. You are not insured yet.", "{insurer} के पास आपका आवेदन है और वह निर्णय लेगी। अभी आपका बीमा नहीं हुआ है।";
    offline_title: "Somebody looks at your application", "आपका आवेदन देखा जा रहा है";
    offline_text(insurer): "A person goes on with your application at {insurer}, and calls you where something is missing. You are not insured yet.", "{insurer} में एक व्यक्ति आपका आवेदन देख रहा है, और कुछ कमी होने पर आपको फ़ोन करेगा। अभी आपका बीमा नहीं हुआ है।";
    rejected_title: "The insurer does not accept", "बीमा कंपनी ने स्वीकार नहीं किया";
    rejected_text(insurer): "{insurer} has refused this application. Nothing was bought.", "{insurer} ने यह आवेदन अस्वीकार कर दिया है। कुछ भी नहीं खरीदा गया।";
    cancelled_title: "This plan cannot be applied for", "इस प्लान के लिए आवेदन नहीं हो सकता";
    cancelled_text: "Your application ended before it reached the insurer. Nothing was bought.", "आपका आवेदन बीमा कंपनी तक पहुँचने से पहले ही समाप्त हो गया। कुछ भी नहीं खरीदा गया।";
    reason_told: "The reason:", "कारण:";
    keep_this_address: "Keep the address of this page, for example as a bookmark: it shows the state of your application at any time, on any device. Whoever has it sees what you see here.", "इस पेज का पता सँभालकर रखें, जैसे बुकमार्क में: इससे आप कभी भी, किसी भी फ़ोन या कंप्यूटर पर आवेदन की स्थिति देख सकते हैं। जिसके पास यह पता होगा, वह भी यही देख सकेगा।";
    policy_number: "Policy number", "पॉलिसी संख्या";
    insurers_number: "Number with the insurer", "बीमा कंपनी की संख्या";
    application_number: "Application", "आवेदन संख्या";
    open_certificate: "Open the certificate (PDF)", "प्रमाणपत्र खोलें (PDF)";
    certificate_language: "The certificate is in English.", "प्रमाणपत्र अंग्रेज़ी में है।";
    what_happened: "What happened so far", "अब तक क्या हुआ";
    at_time(day, time): "{day}, {time}", "{day}, {time}";
    moved_initiated: "You sent the application", "आपने आवेदन भेजा";
    moved_pending: "It passed our own checks", "हमारी जाँच में सही पाया गया";
    moved_submitted: "It was handed to the insurer", "बीमा कंपनी को सौंपा गया";
    moved_offline: "It goes on with a person, outside of these pages", "आगे की प्रक्रिया एक व्यक्ति देख रहा है, इन पेजों से बाहर";
    moved_underwriting: "The insurer looks at it", "बीमा कंपनी इसे देख रही है";
    moved_accepted: "The insurer accepted: the policy is issued", "बीमा कंपनी ने स्वीकार किया: पॉलिसी जारी हुई";
    moved_rejected: "The insurer refused", "बीमा कंपनी ने अस्वीकार किया";
    moved_cancelled: "It did not pass our own checks", "हमारी जाँच में सही नहीं पाया गया";
    another_plan: "Choose another plan", "दूसरा प्लान चुनें";
    cover_others: "Begin a new application", "नया आवेदन शुरू करें";
    look_again: "Look again", "फिर से देखें";
    still_needed(settlement): "How the premium is paid: {settlement}", "प्रीमियम का भुगतान: {settlement}";
}
