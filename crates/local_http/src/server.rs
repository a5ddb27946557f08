//! HTTP server that gets its answers from a function.

use std::io;
use std::sync::Arc;

use http_body_util::{BodyExt, Full, Limited};
use hyper::StatusCode;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};

use crate::message::{LONGEST, Response, header, passed_on, sent};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    pub method: String,
    /// Path of the requested URL, with the query.
    pub target: String,
    /// Headers of the request, without those that belong to the connection.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Received {
    /// Value of a header. `name` must be in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

/// What the server does after a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    Response(Response),
    /// Closes the connection and sends no response.
    Closed,
}

/// Answers requests with the function `answer`, until the caller drops the returned future. If a client
/// disconnects, the future of its answer is dropped.
pub async fn serve<Answer, Replying>(listener: TcpListener, answer: Answer)
where
    Answer: Fn(Received) -> Replying + Send + Sync + 'static,
    Replying: Future<Output = Reply> + Send + 'static,
{
    let answer = Arc::new(answer);
    let mut connections = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            came = listener.accept() => match came {
                Ok((stream, _)) => drop(connections.spawn(converse(stream, answer.clone()))),
                // Probably too many open files. Retry, because other connections may close.
                Err(_) => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Answers the requests of one connection.
async fn converse<Answer, Replying>(stream: TcpStream, answer: Arc<Answer>)
where
    Answer: Fn(Received) -> Replying + Send + Sync + 'static,
    Replying: Future<Output = Reply> + Send + 'static,
{
    let respond = service_fn(move |request: hyper::Request<Incoming>| {
        let answer = answer.clone();
        async move {
            let (head, body) = request.into_parts();
            let body = Limited::new(body, LONGEST).collect().await.map_err(io::Error::other)?;
            let target = head.uri.path_and_query().map_or("/", |target| target.as_str()).to_owned();
            let received = Received {
                method: head.method.as_str().to_owned(),
                target,
                headers: passed_on(&head.headers),
                body: body.to_bytes().to_vec(),
            };
            match answer(received).await {
                Reply::Response(response) => message(response),
                Reply::Closed => Err(io::Error::other("closed on purpose")),
            }
        }
    });
    // The client sees how the connection ended.
    let _ =
        http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), respond).await;
}

fn message(response: Response) -> io::Result<hyper::Response<Full<Bytes>>> {
    let mut message = hyper::Response::new(Full::from(response.body));
    *message.status_mut() = StatusCode::from_u16(response.status).map_err(io::Error::other)?;
    *message.headers_mut() = sent(&response.headers);
    Ok(message)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Client, Request};

    const SOON: Duration = Duration::from_secs(5);

    /// Starts a server that answers with a function. Returns the server's URL.
    async fn serving(answer: impl Fn(Received) -> Reply + Send + Sync + 'static) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let answer = Arc::new(answer);
        tokio::spawn(serve(listener, move |received| {
            let answer = answer.clone();
            async move { answer(received) }
        }));
        format!("http://{address}")
    }

    fn request(url: String) -> Request {
        let headers =
            vec![("x-own".to_owned(), "1".to_owned()), ("connection".to_owned(), "close".to_owned())];
        Request { method: "POST".into(), url, headers, body: b"as it is".to_vec() }
    }

    #[tokio::test]
    async fn a_request_and_its_response_arrive_unchanged() {
        let base = serving(|received| {
            let mut body = received.body.clone();
            body.extend(received.target.as_bytes());
            assert_eq!(received.headers, [("x-own".to_owned(), "1".to_owned())]);
            Reply::Response(Response { status: 418, headers: received.headers, body })
        });
        let url = format!("{}/a?b=%20c", base.await);
        let response = Client::new().send(&request(url), SOON).await.expect("a response");
        assert_eq!((response.status, response.header("x-own")), (418, Some("1")));
        assert_eq!(response.body, b"as it is/a?b=%20c");
    }

    #[tokio::test]
    async fn a_connection_closed_without_a_response_is_an_error() {
        let base = serving(|_| Reply::Closed).await;
        let refused = Client::new().send(&request(base), SOON).await.expect_err("no answer");
        assert!(refused.starts_with("the server did not answer"), "{refused}");
    }
}
