//! Words of the page that says what became of an application.

use super::words;

words! {
    accepted_title: "Your policy is issued", "आपकी पॉलिसी जारी हो गई है";
    accepted_text(insurer, starts, ends): "{insurer} has accepted your application. Cover runs from {starts} to {ends}.", "{insurer} ने आपका आवेदन स्वीकार कर लिया है। बीमा {starts} से {ends} तक है।";
    waiting_title: "Your application is on its way", "आपका आवेदन भेज दिया गया है";
    waiting_text(insurer): "Your application goes to {insurer}, which decides on it. You are not insured yet.", "आपका आवेदन {insurer} को भेजा जाता है, जो इस पर निर्णय लेगी। अभी आपका बीमा नहीं हुआ है।";
    offline_title: "Your application is being reviewed", "आपके आवेदन की जाँच हो रही है";
    offline_text(insurer): "Your application for a plan of {insurer} is reviewed by a person. You are called if something is missing. You are not insured yet.", "{insurer} के प्लान के लिए आपके आवेदन की जाँच की जा रही है; ज़रूरत होने पर आपको फ़ोन किया जाएगा। अभी आपका बीमा नहीं हुआ है।";
    rejected_title: "Your application was not accepted", "आपका आवेदन स्वीकार नहीं हुआ";
    rejected_text(insurer): "{insurer} has refused this application. Nothing was bought.", "{insurer} ने यह आवेदन अस्वीकार कर दिया है। कुछ भी नहीं खरीदा गया।";
    cancelled_title: "This plan cannot be applied for", "इस प्लान के लिए आवेदन नहीं हो सकता";
    cancelled_text: "Your application ended before it reached the insurer. Nothing was bought.", "आपका आवेदन बीमा कंपनी तक पहुँचने से पहले ही समाप्त हो गया। कुछ भी नहीं खरीदा गया।";
    reason_told: "The reason:", "कारण:";
    keep_this_address: "Keep the link to this page, for example as a bookmark: it shows the state of your application at any time, on any device. Whoever has it sees what you see here.", "इस पेज का लिंक सँभालकर रखें, जैसे बुकमार्क में: इससे आप कभी भी, किसी भी फ़ोन या कंप्यूटर पर आवेदन की स्थिति देख सकते हैं। जिसके पास यह लिंक होगा, वह भी यही देख सकेगा।";
    link_to_status: "Link to your application", "आपके आवेदन का लिंक";
    good_to_know: "Good to know", "जान लें";
    policy_number: "Policy number", "पॉलिसी नंबर";
    insurers_number: "Policy number with the insurer", "बीमा कंपनी का पॉलिसी नंबर";
    application_number: "Application", "आवेदन नंबर";
    open_certificate: "Open the certificate (PDF)", "प्रमाणपत्र खोलें (PDF)";
    certificate_language: "The certificate is in English.", "प्रमाणपत्र अंग्रेज़ी में है।";
    what_happened: "What happened so far", "अब तक क्या हुआ";
    at_time(day, time): "{day}, {time}", "{day}, {time}";
    moved_initiated: "You sent the application", "आपने आवेदन भेजा";
    moved_pending: "It passed our own checks", "हमारी जाँच में सही पाया गया";
    moved_submitted: "It was handed to the insurer", "बीमा कंपनी को सौंपा गया";
    moved_offline: "It is being reviewed by a person", "आगे की प्रक्रिया ऑफ़लाइन चल रही है";
    moved_underwriting: "The insurer looks at it", "बीमा कंपनी इसे देख रही है";
    moved_accepted: "The insurer accepted: the policy is issued", "बीमा कंपनी ने स्वीकार किया: पॉलिसी जारी हुई";
    moved_rejected: "The insurer refused", "बीमा कंपनी ने अस्वीकार किया";
    moved_cancelled: "The rules of the plan ended it", "प्लान के नियमों के कारण आगे नहीं बढ़ सका";
    another_plan: "Choose another plan", "दूसरा प्लान चुनें";
    cover_others: "Begin a new application", "नया आवेदन शुरू करें";
    look_again: "Look again", "फिर से देखें";
    still_needed(settlement): "How the premium is paid: {settlement}", "प्रीमियम का भुगतान: {settlement}";
}
