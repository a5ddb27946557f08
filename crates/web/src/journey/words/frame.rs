//! Words that stand on many pages.

use super::words;

words! {
    health_insurance: "Health insurance", "स्वास्थ्य बीमा";
    through(partner): "through {partner}", "{partner} के माध्यम से";
    language_name: "English", "हिन्दी";
    skip_to_content: "Skip to the content", "सीधे मुख्य भाग पर जाएँ";
    step_of(step, of): "Step {step} of {of}", "चरण {step} / {of}";
    go_on: "Continue", "आगे बढ़ें";
    go_back: "Back", "पीछे";
    change: "Change", "बदलें";
    back_to(partner): "Back to {partner}", "{partner} पर वापस जाएँ";
    choose_one: "Please choose", "कृपया चुनें";
    optional(label): "{label} (optional)", "{label} (वैकल्पिक)";
    faults_heading: "Please look at these again", "कृपया इन्हें फिर से देखें";
    you: "You", "आप";
    spouse: "Your spouse", "आपके पति या पत्नी";
    father: "Your father", "आपके पिता";
    mother: "Your mother", "आपकी माता";
    daughter: "Your daughter", "आपकी बेटी";
    son: "Your son", "आपका बेटा";
    one_year: "1 year", "1 साल";
    some_years(years): "{years} years", "{years} साल";
    person_of_age(person, age): "{person}, {age} years", "{person}, उम्र {age} साल";
    baby(person): "{person}, under 1 year", "{person}, उम्र 1 साल से कम";
    yes: "Yes", "हाँ";
    no: "No", "नहीं";
    loads_nothing: "Until you apply, your answers are kept encrypted and are deleted a day after your last visit. This page loads nothing from anybody else.", "आवेदन करने तक आपके जवाब कूटबद्ध (एन्क्रिप्टेड) रखे जाते हैं, और आपकी आख़िरी विज़िट के एक दिन बाद मिटा दिए जाते हैं। यह पेज किसी और वेबसाइट से कुछ भी लोड नहीं करता।";
}
