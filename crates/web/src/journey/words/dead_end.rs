//! Words of the pages from which there is no way on.

use super::words;

words! {
    wrong_title: "This link does not open anything", "यह लिंक नहीं खुलता";
    wrong_text: "It is cut off, or was made for something else. Go back to the app or website that you came from and open health insurance there again.", "लिंक अधूरा है, या किसी और काम के लिए बना था। जिस ऐप या वेबसाइट से आप आए थे, वहाँ जाकर स्वास्थ्य बीमा फिर से खोलें।";
    used_title: "This link was already used", "यह लिंक पहले ही इस्तेमाल हो चुका है";
    used_text: "Each link opens once, in one browser, so that nobody else can read your answers. If you began in another browser or tab, go on there; else open health insurance again from where you came.", "हर लिंक एक बार, एक ही ब्राउज़र में खुलता है, ताकि कोई और आपके जवाब न पढ़ सके। अगर आपने किसी और ब्राउज़र या टैब में शुरू किया था, तो वहीं जारी रखें; नहीं तो जहाँ से आए थे वहाँ से फिर खोलें।";
    expired_title: "This link is too old", "यह लिंक पुराना हो चुका है";
    expired_text: "A link is good for an hour. Go back to where you came from and open health insurance there again; nothing is lost.", "लिंक एक घंटे तक चलता है। जहाँ से आए थे वहाँ जाकर स्वास्थ्य बीमा फिर से खोलें; आपकी कोई जानकारी नहीं खोई है।";
    disabled_title: "Health insurance is not open here just now", "यहाँ अभी स्वास्थ्य बीमा उपलब्ध नहीं है";
    disabled_text(partner): "{partner} does not offer it at the moment. Please ask there.", "{partner} अभी यह सुविधा नहीं दे रहा है। कृपया वहीं पूछें।";
    over_title: "Your visit is over", "आपकी विज़िट समाप्त हो गई है";
    over_text: "We keep answers for a day, in the browser in which they were given. Go back to where you came from and open health insurance there again. An application that you have sent is safe: its own link still works.", "हम जवाब एक दिन तक, उसी ब्राउज़र में रखते हैं जिसमें वे दिए गए थे। जहाँ से आए थे वहाँ जाकर स्वास्थ्य बीमा फिर से खोलें। भेजा हुआ आवेदन सुरक्षित है: उसका अपना लिंक अब भी काम करता है।";
    cookies_title: "Your browser does not keep our cookie", "आपके ब्राउज़र में हमारी कुकी सेव नहीं हो रही";
    cookies_text: "These pages need one cookie, to know your answers again from page to page. Open health insurance in a tab of its own from where you came, allow cookies for this address, or use another browser.", "एक पेज से दूसरे पेज तक आपके जवाब पहचानने के लिए इन पेजों को एक कुकी चाहिए। जहाँ से आए थे वहाँ से इसे अलग टैब में खोलें, इस पते के लिए कुकी की अनुमति दें, या किसी और ब्राउज़र का उपयोग करें।";
    missing_title: "There is no such page", "ऐसा कोई पेज नहीं है";
    missing_text: "The address is cut off or mistyped.", "लिंक अधूरा है या गलत लिखा गया है।";
    trouble_title: "Something went wrong here", "यहाँ कुछ गड़बड़ हो गई";
    trouble_text: "It is not your fault, and what you had sent so far is kept. Please try again in a moment.", "इसमें आपकी गलती नहीं है, और जो आप भेज चुके थे वह सुरक्षित है। कृपया थोड़ी देर में फिर कोशिश करें।";
    foreign_form_title: "This form was not sent from our page", "यह फ़ॉर्म हमारे पेज से नहीं भेजा गया";
    foreign_form_text: "Nothing was changed. Open the page again and send the form from there.", "कुछ भी नहीं बदला गया। पेज फिर से खोलें और फ़ॉर्म वहीं से भेजें।";
    begin_again: "Go on with your answers", "अपने जवाबों के साथ आगे बढ़ें";
    error_number(id): "If you ask for help, give this number: {id}", "मदद माँगते समय यह नंबर बताएँ: {id}";
}
