//! `GET /v1/embedded/options` and `GET /v1/business/health/options`: what a partner may ask for (D99).

use serde_json::{Value, json};

use crate::support::{App, Setup, bodies};

const CREDIT: &str = "/v1/embedded/options";
const HEALTH: &str = "/v1/business/health/options";

async fn options(app: &App, path: &str) -> Value {
    let answer = app.get(path).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["payload"].take()
}

fn texts(list: &Value, field: &str) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|one| one[field].as_str().expect("text").to_owned()).collect()
}

#[tokio::test]
async fn the_credit_life_options_contain_every_quoted_variant_with_the_limits_of_its_pricing() {
    let app = App::start().await;
    let options = options(&app, CREDIT).await;
    let quote = app.has_quote().await;
    let mut quoted = texts(&quote["recommendations"], "variant_id");
    let mut offered = texts(&options["variants"], "variant_id");
    quoted.sort();
    offered.sort();
    assert_eq!(quoted, offered);
    let first = &options["variants"][0];
    let most = first["policy_term"]["most"].as_u64().expect("a number");
    let priced = async |months: u64| {
        let body = bodies::with(bodies::quote(), "policy_term", json!(months));
        let quote = app.post("/v1/embedded/quote", body).await.json();
        let items = quote["payload"]["recommendations"].as_array().expect("a list").clone();
        items.into_iter().find(|item| item["variant_id"] == first["variant_id"]).expect("there")
    };
    assert!(priced(most + 1).await["is_error"] == true, "beyond its limit");
    let insurers = texts(&options["insurers"], "insurer_id");
    assert!(texts(&options["variants"], "insurer_id").iter().all(|insurer| insurers.contains(insurer)));
}

#[tokio::test]
async fn the_health_options_contain_every_variant_and_filter_tag_of_a_recommendation() {
    let app = App::start().await;
    let options = options(&app, HEALTH).await;
    let id = app.has_health_quote(bodies::recommendation()).await;
    let found = app.finished_recommendation(&id).await;
    let tags = texts(&options["filter_tags"], "id");
    let variants = texts(&options["variants"], "variant_id");
    let offered = found["new_recommendations"].as_array().expect("a list");
    assert!(!offered.is_empty());
    for one in offered {
        assert!(variants.contains(&one["variant_id"].as_str().expect("an id").to_owned()));
        for tag in one["filter_tags_ids"].as_array().expect("a list") {
            assert!(tags.contains(&tag.as_str().expect("an id").to_owned()), "{tag}");
        }
    }
    let illness = &options["illnesses"][0]["id"];
    let body = bodies::with(bodies::recommendation(), "hasPED", json!(true));
    let body = bodies::with(body, "selectedPEDs", json!([illness]));
    assert_eq!(app.post("/v1/business/health/recommendation", body).await.status, 200);
    assert!(options["sums_insured"].as_array().is_some_and(|sums| !sums.is_empty()));
    assert!(
        options["variants"][0]["pincode_prefixes"].as_array().is_some_and(|prefixes| !prefixes.is_empty())
    );
}

#[tokio::test]
async fn options_are_not_sent_again_to_a_caller_with_their_etag_until_the_catalogue_changes() {
    let app = App::start().await;
    for path in [CREDIT, HEALTH] {
        let first = app.get(path).await;
        let tag = first.header("etag").expect("a tag").to_owned();
        let with = async |tag: &str| {
            let request = app.request("GET", path).bearer_auth(&app.partner().token);
            app.send(request.header("if-none-match", tag)).await
        };
        let again = with(&tag).await;
        assert_eq!((again.status, again.text.as_str()), (304, ""));
        assert_eq!(again.header("etag"), Some(tag.as_str()));
        assert_eq!(with("\"other\"").await.status, 200);
    }
    let tag = app.get(CREDIT).await.header("etag").expect("a tag").to_owned();
    let renamed =
        Setup::with_edited("insurers/kalpanik/insurer.toml", |text| text.replace("Kalpanik", "Renamed"));
    app.runs_catalogue(&renamed.catalogue).await;
    let request = app.request("GET", CREDIT).bearer_auth(&app.partner().token);
    assert_eq!(app.send(request.header("if-none-match", tag)).await.status, 200);
}
