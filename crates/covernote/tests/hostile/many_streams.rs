//! Requests that share an HTTP/2 connection.

use futures_util::future::join_all;

use crate::http2::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn each_http2_stream_counts_against_the_concurrency_limit() {
    for (settings, expects_refusals) in [("requests = 2", true), ("", false)] {
        let scene = Scene::start(settings).await;
        let client = scene.client().await;
        let answers = join_all((0..100).map(|_| client.quote(&scene.token))).await;
        let mut refused = 0;
        for answer in answers {
            let (status, body) = answer.expect("an answer");
            let text = String::from_utf8_lossy(&body);
            assert!(status == 200 || status == 503 && text.contains("E5030"), "{status}: {text}");
            refused += usize::from(status == 503);
        }
        assert_eq!(refused > 0, expects_refusals, "{refused} of 100 refused with {settings:?}");
        // All permits were released.
        assert_eq!(client.quote(&scene.token).await.expect("an answer").0, 200);
    }
}
