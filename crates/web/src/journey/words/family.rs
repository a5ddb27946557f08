//! Words of the pages that ask who is to be covered, where they live, and about their health.

use super::words;

words! {
    who_title: "Who should be covered?", "किसके लिए बीमा चाहिए?";
    who_lead: "Give the age, in completed years, of everybody to be covered, and leave the others empty. No name or number is asked for before you have seen prices.", "जिन-जिन का बीमा करना है, उनकी उम्र लिखें; बाकी खाली छोड़ दें। कीमतें दिखाने से पहले नाम या नंबर नहीं पूछा जाता।";
    own_age: "Your age", "आपकी उम्र";
    spouses_age: "Your spouse’s age", "आपके पति या पत्नी की उम्र";
    fathers_age: "Your father’s age", "आपके पिता की उम्र";
    mothers_age: "Your mother’s age", "आपकी माता की उम्र";
    age: "Age", "उम्र";
    children: "Children", "बच्चे";
    children_hint: "0 for a baby under one year.", "एक साल से छोटे शिशु के लिए 0 लिखें।";
    child(number): "Child {number}", "बच्चा {number}";
    son_or_daughter: "Son or daughter", "बेटा या बेटी";
    a_son: "Son", "बेटा";
    a_daughter: "Daughter", "बेटी";
    add_child: "Add a child", "एक और बच्चा जोड़ें";
    age_wanted(person): "{person}: give the age as a whole number of years from 0 to 120, or leave it empty", "{person}: उम्र 0 से 120 के बीच पूरे सालों में लिखें, या खाली छोड़ दें";
    adult_age_wanted(person): "{person}: an age from 18 to 120 is wanted here", "{person}: उम्र 18 से 120 साल के बीच होनी चाहिए";
    child_kind_wanted(child): "{child}: say whether it is a son or a daughter", "{child}: बताएँ कि बेटा है या बेटी";
    child_age_wanted(child): "{child}: give the age, or clear the choice beside it", "{child}: उम्र लिखें, या “बेटा या बेटी” का चुनाव हटा दें";
    somebody_wanted: "Give the age of at least one person", "कम से कम एक व्यक्ति की उम्र लिखें";
    parents_older: "A parent must be older than you: please check both ages", "माता-पिता की उम्र आपसे ज़्यादा होनी चाहिए: दोनों उम्र जाँच लें";

    place_title: "Where you live, and your health", "आप कहाँ रहते हैं, और आपका स्वास्थ्य";
    pincode: "Pincode where you live", "आपके घर का पिन कोड";
    pincode_hint: "6 digits. Prices differ from city to city.", "6 अंक। अलग-अलग शहरों में कीमतें अलग होती हैं।";
    pincode_wanted: "Give the pincode of your home: 6 digits, the first not 0", "अपने घर का पिन कोड लिखें: 6 अंक, पहला अंक 0 नहीं हो सकता";
    illness_question: "Does anybody to be covered have an illness, or take medicines regularly?", "क्या बीमा में शामिल किसी व्यक्ति को कोई बीमारी है, या किसी की कोई दवा नियमित चल रही है?";
    illness_why: "Say all of it: an illness left out can cost you a claim. With an illness most plans cost more, and some are not sold.", "सब कुछ बताएँ: छिपाई गई बीमारी के कारण क्लेम अस्वीकार हो सकता है। बीमारी होने पर ज़्यादातर प्लान महँगे हो जाते हैं, और कुछ प्लान मिलते ही नहीं।";
    illness_answer_wanted: "Say whether anybody has an illness: yes or no", "बताएँ कि किसी को बीमारी है या नहीं: हाँ या नहीं";
    which_illnesses(person): "{person}: which ones?", "{person}: कौन-कौन सी बीमारियाँ?";
    illnesses_wanted: "Tick each person’s illnesses; if one is not listed, tick “Another illness”", "चुनें कि किसे कौन-सी बीमारी है; सूची में न हो तो “कोई और बीमारी” चुनें";
    illness_contradiction: "You said that nobody has an illness, and ticked some: change one of the two", "आपने कहा कि किसी को बीमारी नहीं है, फिर भी कुछ बीमारियाँ चुनीं: दोनों में से एक बदलें";
    porting_question: "Do you have a health policy now that you want to port to another insurer?", "क्या आपके पास अभी कोई स्वास्थ्य बीमा पॉलिसी है जिसे आप दूसरी बीमा कंपनी में ले जाना (पोर्ट करना) चाहते हैं?";
    porting_why: "Once the new insurer has confirmed it with the old one, it counts the waiting periods that you have served.", "पोर्ट करने पर नई बीमा कंपनी, पुरानी कंपनी से पुष्टि के बाद, पूरी की गई प्रतीक्षा अवधि भी गिनती है।";
    porting_answer_wanted: "Say whether you bring a policy along: yes or no", "बताएँ कि आप कोई पॉलिसी पोर्ट करना चाहते हैं या नहीं: हाँ या नहीं";
    porting_years: "Years that it has run", "पॉलिसी कितने साल से चल रही है";
    porting_years_wanted: "Give the years as a whole number from 0 to 100, or leave it empty", "साल 0 से 100 के बीच पूरी संख्या में लिखें, या खाली छोड़ दें";
}
