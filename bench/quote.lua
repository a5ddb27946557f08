-- Posts one quote request again and again, and tells what came of it in one line that bench/quotes reads.
-- The token and the body come as TOKEN and BODY from the environment.

wrk.method = "POST"
wrk.body = os.getenv("BODY")
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("TOKEN")

-- Latencies and the duration are in microseconds. An error is anything but a whole answer below 400.
function done(summary, latency)
    local errors = summary.errors
    local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
    io.write(string.format("measured %d %d %d %d %d\n",
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed))
end
