//! Words of the last page before the application, with the texts that are agreed to.

use super::words;

words! {
    review_title: "Look at everything once more", "सब कुछ एक बार फिर देख लें";
    review_lead: "Nothing is sent before you press the button below.", "नीचे का बटन दबाने से पहले कुछ भी नहीं भेजा जाता।";
    your_plan: "Your plan", "आपका प्लान";
    your_price: "Your price", "आपकी कीमत";
    base_premium: "Premium without tax", "कर के बिना प्रीमियम";
    gst: "GST", "जीएसटी";
    gst_nil: "GST (nil)", "जीएसटी (शून्य)";
    to_pay_for(years): "To pay for {years}", "{years} के लिए कुल भुगतान";
    how_paid: "How the premium is paid", "प्रीमियम का भुगतान";
    when_starts: "When cover starts", "बीमा कब शुरू होता है";
    starts_on_acceptance(day, years): "On the day on which the insurer accepts: {day} if that is today. It then runs {years}.", "जिस दिन बीमा कंपनी आवेदन स्वीकार करेगी, उसी दिन से (आज स्वीकार हुआ तो {day} से), {years} के लिए।";
    ports_policy: "You bring a policy along from another insurer.", "आप दूसरी बीमा कंपनी से अपनी पॉलिसी ला रहे हैं (पोर्ट)।";
    ports_policy_of(years): "You bring a policy along from another insurer, which has run for {years} years. The new insurer asks the old one before it counts the waiting that you have served.", "आप दूसरी बीमा कंपनी से अपनी पॉलिसी ला रहे हैं (पोर्ट), जो {years} साल से चल रही है। पूरी की गई प्रतीक्षा अवधि गिनने से पहले नई कंपनी पुरानी कंपनी से पूछती है।";
    insured_people: "Insured", "बीमित व्यक्ति";
    born_on(day): "born {day}", "जन्म {day}";
    no_illness_told: "no illness declared", "कोई बीमारी नहीं बताई";
    proposer: "Proposer", "प्रस्तावक";
    refund_account(account): "Refunds to the account ending in {account}", "रिफ़ंड इस खाते में: …{account}";
    your_consent: "What you agree to", "आप किस बात से सहमत हैं";
    consent_declaration: "What I have told, above all about illnesses, is true and complete. I know that the insurer may refuse a claim or end the policy if it is not.", "मैंने जो बताया है, खासकर बीमारियों के बारे में, वह सच और पूरा है। मुझे पता है कि ऐसा न होने पर बीमा कंपनी क्लेम अस्वीकार कर सकती है या पॉलिसी समाप्त कर सकती है।";
    consent_insurer(insurer, partner): "I agree that my answers, including illnesses, are sent to {insurer}, which decides on my application and serves the policy. {partner} and the operator of these pages, who handles the application, see it too.", "मेरे जवाब, बीमारियों सहित, {insurer} को भेजे जाएँ, जो मेरे आवेदन पर निर्णय लेगी और पॉलिसी से जुड़ी सेवाएँ देगी। {partner} और इन पेजों के संचालक, जो आवेदन की प्रक्रिया देखते हैं, इसे देख सकते हैं।";
    consent_messages: "Messages about my policy, such as reminders to renew, may come by SMS or WhatsApp.", "मेरी पॉलिसी के बारे में संदेश, जैसे नवीनीकरण की याद, SMS या WhatsApp पर भेजे जा सकते हैं।";
    consent_needed: "required", "ज़रूरी";
    consent_free: "optional", "वैकल्पिक";
    declaration_wanted: "Without the declaration no insurer takes an application: tick it if it is so", "इस घोषणा के बिना कोई बीमा कंपनी आवेदन नहीं लेती: सही हो तो इसे चुनें";
    insurer_wanted: "Without your permission to share your answers there is no application: tick it if you agree", "जवाब भेजने की अनुमति के बिना आवेदन नहीं हो सकता: सहमत हों तो इसे चुनें";
    send_application: "Send the application", "आवेदन भेजें";
    sending: "Sending …", "भेजा जा रहा है …";
}
