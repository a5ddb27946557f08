// Opens the hosted journey for a signed-in customer: GET /insurance gets a token, opens a session and answers 303.
// If a call fails, the customer reads when to try again, and your log has the status and the request id.
// Put it behind your own sign-in, take user_id from there, and prevent prefetching: each call uses a token.
// Java 17 or later: java Insurance.java. It has no JSON library; use your own.
// Settings are in the environment: README.md lists them.
import com.sun.net.httpserver.*;
import java.io.IOException;
import java.net.*;
import java.net.http.*;
import static java.lang.System.getenv;

public class Insurance {
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    static class Refused extends Exception {
        final long wait;
        Refused(HttpResponse<?> answer) {
            super(answer.statusCode() + ", request " + answer.headers().firstValue("X-Request-Id").orElse("-"));
            wait = answer.headers().firstValueAsLong("Retry-After").orElse(300);
        }
    }

    static String post(String path, String body, String field, String... headers) throws Exception {
        var answer = CLIENT.send(HttpRequest.newBuilder(URI.create(getenv("INSURANCE_API") + path)).headers(headers)
            .timeout(java.time.Duration.ofSeconds(10)).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
            HttpResponse.BodyHandlers.ofString());
        var found = java.util.regex.Pattern.compile("\"" + field + "\":\"([^\"]+)\"").matcher(answer.body());
        if (answer.statusCode() >= 300 || !found.find()) throw new Refused(answer);
        return found.group(1);
    }

    static void insurance(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("GET")) { exchange.sendResponseHeaders(405, -1); return; }
        var userId = "user-42"; // who is signed in, from your own session
        var text = "";
        var headers = exchange.getResponseHeaders();
        headers.set("Cache-Control", "no-store");
        headers.set("Referrer-Policy", "no-referrer");
        try {
            var token = post("/v1/auth/token", """
                {"client_id": "%s", "client_secret": "%s", "user_id": "%s", "scopes": ["business.session"]}"""
                .formatted(getenv("INSURANCE_CLIENT_ID"), getenv("INSURANCE_CLIENT_SECRET"), userId),
                "access_token", "Content-Type", "application/json");
            var session = post("/v1/business/session", "{}", "session_id",
                "Content-Type", "application/json", "Authorization", "Bearer " + token); // Store it with userId.
            var back = URLEncoder.encode(getenv().getOrDefault("INSURANCE_RETURN", ""), "UTF-8");
            headers.set("Location", getenv("INSURANCE_JOURNEY") + "/health?session_token=" + token
                + "&session_id=" + session + (back.isEmpty() ? "" : "&return_url=" + back));
        } catch (Exception fault) {
            System.err.println("covernote: " + (fault instanceof Refused ? fault.getMessage() : fault.getClass()));
            var wait = fault instanceof Refused refused ? refused.wait : 300;
            headers.set("Retry-After", "" + wait);
            text = "Insurance cannot be opened now. Please try again in " + (wait + 59) / 60 + " min.";
        }
        exchange.sendResponseHeaders(text.isEmpty() ? 303 : 503, text.isEmpty() ? -1 : text.length());
        exchange.getResponseBody().write(text.getBytes());
        exchange.close();
    }

    public static void main(String[] arguments) throws IOException {
        var port = Integer.parseInt(getenv().getOrDefault("PORT", "3000"));
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/insurance", Insurance::insurance);
        server.setExecutor(java.util.concurrent.Executors.newCachedThreadPool());
        server.start();
    }
}
