//! Words of the page that says openly when a price is no longer what it was.

use super::words;

words! {
    price_title: "The price is looked at again", "कीमत फिर से देखी जा रही है";
    price_waiting: "Your details differ from what the first price was made for, or that price has lapsed. We are asking for the price again; this takes a moment.", "आपका विवरण उस जानकारी से अलग है जिस पर पहली कीमत बनी थी, या वह कीमत अब मान्य नहीं है। हम कीमत फिर से पता कर रहे हैं; थोड़ा समय लगेगा।";
    price_changed_title: "The price has changed", "कीमत बदल गई है";
    price_changed_text: "With the dates of birth and the pincode that you gave, or because the first price has lapsed, this plan now costs something else. Nothing is bought until you agree.", "आपकी दी हुई जन्मतिथि और पिन कोड के अनुसार, या पहली कीमत की अवधि बीत जाने से, इस प्लान की कीमत अब अलग है। आपकी सहमति के बिना कुछ भी नहीं खरीदा जाएगा।";
    price_same: "We have asked for the price again: it is still the same.", "हमने कीमत फिर से पता की: वह अब भी वही है।";
    price_before: "Before", "पहले";
    price_now: "Now", "अब";
    price_for: "Calculated for", "किनके लिए";
    accept_price(premium): "Go on with {premium}", "{premium} के साथ आगे बढ़ें";
    other_plans: "Look at other plans", "दूसरे प्लान देखें";
    correct_details: "Correct my details", "अपना विवरण सुधारें";
    gone_title: "This plan does not cover you any more", "यह प्लान अब आपके लिए उपलब्ध नहीं है";
    gone_text: "With the dates of birth and the pincode that you gave, the insurer does not offer this plan now.", "आपकी दी हुई जन्मतिथि और पिन कोड के साथ बीमा कंपनी यह प्लान नहीं देती।";
}
