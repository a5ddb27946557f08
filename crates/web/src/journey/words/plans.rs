//! Words of the pages that show plans beside each other.

use super::words;

words! {
    plans_title: "Plans for you", "आपके लिए प्लान";
    asked_for(cover, people): "{cover} – {people}", "{cover} – {people}";
    at_pincode(pincode): "pincode {pincode}", "पिन कोड {pincode}";
    above_deductible(sum, deductible): "{sum} above {deductible}", "{deductible} के ऊपर {sum}";
    above_any_deductible(sum): "{sum} above an amount of your own", "आपकी ओर से दी जाने वाली राशि के ऊपर {sum}";
    looking: "We are asking for prices. Plans appear here as soon as they are ready.", "हम कीमतें पता कर रहे हैं। प्लान तैयार होते ही यहाँ दिखेंगे।";
    looked_at(done, of): "{done} of {of} plans looked at", "{of} में से {done} प्लान देखे गए";
    found(count, of): "{count} of {of} plans cover you", "{of} में से {count} प्लान आपके लिए उपलब्ध हैं";
    none_found: "No plan covers exactly this. Below you see why; changing the sum insured, or who is covered, often helps.", "ठीक ऐसा कोई प्लान नहीं है। कारण नीचे लिखे हैं; अक्सर बीमा राशि या शामिल सदस्य बदलने से प्लान मिल जाता है।";
    show_and_sort: "Show and sort", "छाँटें और क्रम बदलें";
    sort_by: "Sort by", "क्रम";
    sort_best: "Recommended first", "सुझाए गए प्लान पहले";
    sort_price: "Lowest premium first", "सबसे कम प्रीमियम पहले";
    sort_wait: "Shortest wait first", "सबसे छोटी प्रतीक्षा अवधि पहले";
    sort_claims: "Most claims settled first", "सबसे ज़्यादा क्लेम निपटाने वाले पहले";
    only_with: "Only plans with", "केवल ऐसे प्लान जिनमें हो";
    apply: "Show", "दिखाएँ";
    none_of_filter: "No plan has all of what you ticked. Untick something.", "आपकी चुनी हुई सारी बातें किसी एक प्लान में नहीं हैं। कुछ हटाएँ।";
    recommended: "Recommended", "सुझाया गया";
    why_recommended: "Why this one:", "यही क्यों:";
    how_ranked: "How we rank", "हम क्रम कैसे तय करते हैं";
    how_ranked_text(price, claims, network, waiting, copay): "By price for cover ({price} of 100), claims settled ({claims}), hospitals without advance payment ({network}), waiting for illnesses you have ({waiting}) and your own share of claims ({copay}). Nobody pays for a better place.", "बीमा राशि के मुकाबले कीमत (100 में से {price}), निपटाए गए क्लेम ({claims}), कैशलेस अस्पताल ({network}), मौजूदा बीमारियों की प्रतीक्षा अवधि ({waiting}) और क्लेम में आपका हिस्सा ({copay})। ऊपर जगह पाने के लिए कोई पैसे नहीं देता।";
    premium_for(years): "for {years}, tax included", "{years} के लिए, कर सहित";
    see_plan: "See the plan", "प्लान देखें";
    see_plan_named(plan): "See the plan {plan}", "प्लान देखें: {plan}";
    compare_this: "Compare", "तुलना में जोड़ें";
    compare_named(plan): "Compare {plan}", "तुलना में जोड़ें: {plan}";
    compare_ticked: "Compare selected plans", "चुने हुए प्लान की तुलना करें";
    compare_hint: "Select two or three plans to see them side by side.", "दो या तीन प्लान चुनकर उन्हें साथ-साथ देखें।";
    not_offered_title(count): "Plans that do not cover you ({count}), and why", "जो प्लान आपके लिए उपलब्ध नहीं हैं ({count}): कारण देखें";
    ask_again: "Ask the insurers again", "बीमा कंपनियों से फिर पूछें";
    some_failed: "Some insurers could not be reached.", "कुछ बीमा कंपनियों से संपर्क नहीं हो सका।";
    compare_title: "Plans side by side", "प्लान साथ-साथ";
    compare_wanted: "Tick two or three plans in the list first", "पहले सूची में दो या तीन प्लान चुनें";
    compare_first_three: "At most three plans fit beside each other: these are the first three.", "एक साथ ज़्यादा से ज़्यादा तीन प्लान दिखते हैं: ये पहले तीन हैं।";
    all_plans: "All plans", "सभी प्लान";
    what: "What", "क्या";
    remove: "Remove", "हटाएँ";
    tag_yes: "Yes", "हाँ";
    tag_no: "No", "नहीं";
}
