//! Measures each page of a running demo's hosted journey, while customers walk it at once and without pauses.
//!
//! Usage: `journey_customers <base address> <customers> <rounds>`. For each page, prints the number of
//! requests and the times of the answers in milliseconds, as a browser on the same machine would see them.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use tokio::task::JoinSet;

type Fault = Box<dyn Error + Send + Sync>;

/// Times by page.
type Times = BTreeMap<&'static str, Vec<Duration>>;

/// Browser of a customer, with its cookie and the times of its pages.
struct Customer {
    client: Client,
    base: String,
    cookie: String,
    times: Times,
}

fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [base, customers, rounds] = arguments.as_slice() else {
        return Err("usage: journey_customers <base address> <customers> <rounds>".into());
    };
    let (customers, rounds): (usize, usize) = (customers.parse()?, rounds.parse()?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let times = runtime.block_on(walk_all(base, customers, rounds))?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| page | requests | p50 ms | p99 ms | p99.9 ms | longest ms |\n|---|---|---|---|---|---|"
    )?;
    let all: Vec<Duration> = times.values().flatten().copied().collect();
    for (page, mut times) in times.into_iter().chain([("all of them", all)]) {
        times.sort_unstable();
        let at = |part: f64| {
            let place = ((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1));
            times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        let [half, most, nearly, longest] = [at(0.5), at(0.99), at(0.999), at(1.0)];
        writeln!(out, "| {page} | {} | {half:.2} | {most:.2} | {nearly:.2} | {longest:.2} |", times.len())?;
    }
    Ok(())
}

async fn walk_all(base: &str, customers: usize, rounds: usize) -> Result<Times, Fault> {
    let client = Client::builder().redirect(Policy::none()).pool_max_idle_per_host(customers).build()?;
    // The demo partner gets only 100 tokens per hour. So each customer takes one token and repeats its walk.
    let mut arrived = Vec::new();
    for _ in 0..customers {
        arrived.push(Customer::arrive(client.clone(), base).await?);
    }
    let mut walks = JoinSet::new();
    for mut customer in arrived {
        walks.spawn(async move {
            for _ in 0..rounds {
                customer.walk().await?;
            }
            Ok::<Times, Fault>(customer.times)
        });
    }
    let mut all = Times::new();
    while let Some(walked) = walks.join_next().await {
        for (page, times) in walked?? {
            all.entry(page).or_default().extend(times);
        }
    }
    Ok(all)
}

impl Customer {
    /// Presses the demo partner's button, and follows the redirects until the cookie is set.
    async fn arrive(client: Client, base: &str) -> Result<Customer, Fault> {
        let sent = client.post(format!("{base}/demo")).send().await?;
        let arrival = format!("{base}/{}", location(&sent)?);
        let opened = client.get(arrival).send().await?;
        let cookie = opened.headers().get(SET_COOKIE).ok_or("no cookie")?.to_str()?;
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(Customer { client, base: base.to_owned(), cookie, times: Times::new() })
    }

    /// Requests every page once. Sends the forms of the first three as on a first visit.
    async fn walk(&mut self) -> Result<(), Fault> {
        let proof = proof(&self.page("who").await?)?;
        self.send("who", &format!("proof={proof}&self=34&spouse=36&child-1=daughter&child-1-age=6")).await?;
        self.page("place").await?;
        self.send("place", &format!("proof={proof}&pincode=560038&illness=no&porting=no")).await?;
        self.page("cover").await?;
        self.send("cover", &format!("proof={proof}&plan=base&sum=1000000")).await?;
        let plans = loop {
            let plans = self.page("plans").await?;
            if !plans.contains("id=\"progress\"") {
                break plans;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        let ids: Vec<&str> =
            plans.split("plan?v=").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let [first, second, third, ..] = ids.as_slice() else { return Err("fewer than three plans".into()) };
        self.page_at("compare", &format!("compare?v={first}&v={second}&v={third}")).await?;
        self.page_at("plan", &format!("plan?v={first}")).await?;
        self.send("choose", &format!("proof={proof}&pick={first}:1")).await?;
        self.page("details").await?;
        Ok(())
    }

    async fn page(&mut self, page: &'static str) -> Result<String, Fault> {
        self.page_at(page, page).await
    }

    async fn page_at(&mut self, page: &'static str, address: &str) -> Result<String, Fault> {
        let request = self.client.get(format!("{}/health/{address}", self.base)).header(COOKIE, &self.cookie);
        let begun = Instant::now();
        let answer = request.send().await?;
        let status = answer.status();
        let text = answer.text().await?;
        self.times.entry(page).or_default().push(begun.elapsed());
        if status == StatusCode::OK { Ok(text) } else { Err(format!("{page} got status {status}").into()) }
    }

    async fn send(&mut self, page: &'static str, form: &str) -> Result<(), Fault> {
        let request = self.client.post(format!("{}/health/{page}", self.base)).header(COOKIE, &self.cookie);
        let answer = request.body(form.to_owned()).send().await?;
        if answer.status() == StatusCode::SEE_OTHER {
            return Ok(());
        }
        Err(format!("the form of {page} got status {}", answer.status()).into())
    }
}

/// Proof that each form of a customer must send (against CSRF).
fn proof(page: &str) -> Result<String, Fault> {
    let proof = page.split("name=\"proof\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    Ok(proof.ok_or("no proof")?.to_owned())
}

fn location(answer: &Response) -> Result<String, Fault> {
    Ok(answer.headers().get(LOCATION).ok_or("no Location header")?.to_str()?.to_owned())
}
