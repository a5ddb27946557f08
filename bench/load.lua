-- Script of wrk: repeats one request, and prints the result in one line that bench/runner reads.
-- METHOD, BODY, TOKEN and COOKIE are environment variables; only METHOD is required.

wrk.method = os.getenv("METHOD")
wrk.body = os.getenv("BODY")
if wrk.body then wrk.headers["Content-Type"] = "application/json" end
local token, cookie = os.getenv("TOKEN"), os.getenv("COOKIE")
if token then wrk.headers["Authorization"] = "Bearer " .. token end
if cookie then wrk.headers["Cookie"] = cookie end

-- Latencies and the duration are in microseconds. errors.status counts responses of 400 and above; a broken request got
-- no response.
function done(summary, latency)
    local errors = summary.errors
    local broken = errors.connect + errors.read + errors.write + errors.timeout
    io.write(string.format("measured %d %d %d %d %d %d %d\n", summary.requests, summary.duration,
        latency:percentile(50), latency:percentile(99), latency:percentile(99.9), errors.status, broken))
end
