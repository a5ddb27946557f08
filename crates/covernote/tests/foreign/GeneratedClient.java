import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AccessApi;
import org.openapitools.client.api.CreditProtectionApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.PoliciesApi;
import org.openapitools.client.model.CreateProposalBody;
import org.openapitools.client.model.CreateQuoteBody;
import org.openapitools.client.model.GenerateTokenBody;
import org.openapitools.client.model.PolicyEvent;
import org.openapitools.client.model.UpdateProposalBody;

/**
 * Sells a policy at the demo with the client that openapi-generator creates from the OpenAPI document, and reads
 * its events. Request bodies are the examples in the document.
 */
public final class GeneratedClient {
    private final ObjectMapper mapper = ApiClient.createDefaultObjectMapper();
    private final JsonNode document;

    private GeneratedClient(Path document) throws Exception {
        this.document = mapper.readTree(document.toFile());
    }

    public static void main(String[] arguments) throws Exception {
        new GeneratedClient(Path.of(System.getenv("CLIENTS_DOCUMENT"))).sell(System.getenv("DEMO_URL"));
    }

    private void sell(String demo) throws Exception {
        var client = new ApiClient();
        client.updateBaseUri(demo);
        var secret = example("/v1/auth/token", Map.of("client_id", "demo", "client_secret", "demo-secret"), GenerateTokenBody.class);
        var token = new AccessApi(client).generateToken(secret).getPayload().getAccessToken();
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));

        var sales = new CreditProtectionApi(client);
        var quote = sales.createQuote(example("/v1/embedded/quote", Map.of(), CreateQuoteBody.class), null).getPayload();
        var priced = quote.getRecommendations().stream().filter(one -> !one.getIsError()).findFirst().orElseThrow();
        var changed = Map.of(
                "quote_id", quote.getQuoteId(),
                "recommendation_id", priced.getRecommendationId(),
                "status", "SUBMITTED");
        var wanted = example("/v1/embedded/proposal", changed, CreateProposalBody.class);
        var proposal = sales.createProposal(wanted, null).getPayload();
        var completed = new UpdateProposalBody().status(UpdateProposalBody.StatusEnum.COMPLETED);
        sales.updateProposal(proposal.getProposalId(), completed, null);

        var url = sales.getProposalStatus(proposal.getProposalId()).getPayload().getPolicyUrl().getPath();
        var certificate = Files.readAllBytes(sales.downloadCertificate(url.substring(url.lastIndexOf('/') + 1)).toPath());
        require(new String(certificate, 0, 5, StandardCharsets.US_ASCII).equals("%PDF-"), url);

        var policies = new PoliciesApi(client);
        var sold = policies.getProposal(proposal.getProposalId()).getPayload();
        var policy = policies.getPolicy(sold.getPolicyId()).getPayload();
        require("ISSUED".equals(policy.getStatus().toString()), policy);
        var events = new EventsApi(client).listEvents(null, null, null, null, null, policy.getPolicyId(), null, null).getEvents();
        var told = events.get(0).getData().getActualInstance();
        require(told instanceof PolicyEvent event && event.getId().equals(policy.getPolicyId()), told);
    }

    /** The example body of a POST, with some fields changed. */
    private <Body> Body example(String path, Map<String, String> changed, Class<Body> type) throws JsonProcessingException {
        var content = document.at("/paths").path(path).at("/post/requestBody/content").path("application/json");
        ObjectNode body = content.required("example").deepCopy();
        changed.forEach(body::put);
        return mapper.treeToValue(body, type);
    }

    private static void require(boolean isTrue, Object shown) {
        if (!isTrue) throw new AssertionError(shown);
    }
}
