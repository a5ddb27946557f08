//! Facts from a browser's request: query parameters, cookie, language.

use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use domain::language::Language;
use domain::text::FromText;

use super::address::Parameter;

/// Value of a query parameter.
pub(crate) fn query_value(parts: &Parts, parameter: Parameter) -> Option<String> {
    let query = parts.uri.query()?;
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(key, _)| key == parameter.word()).map(|(_, value)| value.into_owned())
}

/// Value of the journey's cookie.
pub(crate) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let texts = headers.get_all(header::COOKIE).into_iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = texts.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.split_once('='));
    pairs.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
}

/// Language in the address, if any.
pub(crate) fn requested_language(parts: &Parts) -> Option<Language> {
    query_value(parts, Parameter::Language).and_then(|asked| Language::from_text(&asked).ok())
}

/// Language in the address. If the address has none, the browser's language.
pub(crate) fn language_of(parts: &Parts) -> Language {
    requested_language(parts).unwrap_or_else(|| browser_language(&parts.headers))
}

/// First of the browser's languages in which the pages exist. English if there is none.
pub(crate) fn browser_language(headers: &HeaderMap) -> Language {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|languages| languages.to_str().ok());
    let primary = |tag: &str| tag.split(['-', ';']).next().unwrap_or_default().trim().to_ascii_lowercase();
    let mut known =
        accepted.unwrap_or_default().split(',').filter_map(|tag| Language::from_text(&primary(tag)).ok());
    known.next().unwrap_or(Language::English)
}

/// Address of the requested page without the language parameter, relative to the page itself.
pub(crate) fn without_language(parts: &Parts) -> String {
    let page = parts.uri.path().rsplit('/').next().unwrap_or_default();
    let query = parts.uri.query().unwrap_or_default();
    let mut rest = form_urlencoded::Serializer::new(String::new());
    let pairs = form_urlencoded::parse(query.as_bytes());
    for (name, value) in pairs.filter(|(name, _)| name != Parameter::Language.word()) {
        rest.append_pair(&name, &value);
    }
    match rest.finish() {
        rest if rest.is_empty() => page.to_owned(),
        rest => format!("{page}?{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_first_supported_language_of_the_browser_is_used() {
        let of = |accepted: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(accepted));
            browser_language(&headers)
        };
        assert_eq!(of("hi-IN,hi;q=0.9,en;q=0.8"), Language::Hindi);
        assert_eq!(of("xx-IN,en;q=0.8,hi;q=0.5"), Language::English);
        assert_eq!(of("*"), Language::English);
        assert_eq!(browser_language(&HeaderMap::new()), Language::English);
    }

    #[test]
    fn a_cookie_is_found_by_its_exact_name_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; covernote=x=y ;b=2"));
        assert_eq!(cookie(&headers, "covernote"), Some("x=y"));
        assert_eq!(cookie(&headers, "cover"), None);
    }
}
