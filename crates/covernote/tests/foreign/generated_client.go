// Sells a policy at the demo with the client that openapi-generator creates from the OpenAPI document, and reads
// its events. Request bodies are the examples in the document.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"os"
	"path"

	openapi "partner.example/covernote/client"
)

type operation struct {
	RequestBody struct {
		Content map[string]struct {
			Example map[string]any `json:"example"`
		} `json:"content"`
	} `json:"requestBody"`
}

var document struct {
	Paths map[string]struct {
		Post operation `json:"post"`
	} `json:"paths"`
}

func main() {
	text, err := os.ReadFile(os.Getenv("CLIENTS_DOCUMENT"))
	check(err)
	check(json.Unmarshal(text, &document))
	settings := openapi.NewConfiguration()
	settings.Servers = openapi.ServerConfigurations{{URL: os.Getenv("DEMO_URL")}}
	client := openapi.NewAPIClient(settings)
	ctx := context.Background()

	var secret openapi.GenerateTokenBody
	example("/v1/auth/token", map[string]any{"client_id": "demo", "client_secret": "demo-secret"}, &secret)
	token, _, err := client.AccessAPI.GenerateToken(ctx).GenerateTokenBody(secret).Execute()
	check(err)
	ctx = context.WithValue(ctx, openapi.ContextAccessToken, token.Payload.AccessToken)

	sales := client.CreditProtectionAPI
	var asked openapi.CreateQuoteBody
	example("/v1/embedded/quote", nil, &asked)
	quote, _, err := sales.CreateQuote(ctx).CreateQuoteBody(asked).Execute()
	check(err)
	var wanted openapi.CreateProposalBody
	example("/v1/embedded/proposal", map[string]any{
		"quote_id":          quote.Payload.QuoteId,
		"recommendation_id": firstPriced(quote.Payload.Recommendations),
		"status":            "SUBMITTED",
	}, &wanted)
	proposal, _, err := sales.CreateProposal(ctx).CreateProposalBody(wanted).Execute()
	check(err)
	id := proposal.Payload.ProposalId
	completed := *openapi.NewUpdateProposalBody("COMPLETED")
	_, _, err = sales.UpdateProposal(ctx, id).UpdateProposalBody(completed).Execute()
	check(err)

	status, _, err := sales.GetProposalStatus(ctx, id).Execute()
	check(err)
	file, _, err := sales.DownloadCertificate(ctx, path.Base(status.Payload.GetPolicyUrl())).Execute()
	check(err)
	certificate, err := io.ReadAll(file)
	check(err)
	require(bytes.HasPrefix(certificate, []byte("%PDF-")), len(certificate))

	sold, _, err := client.PoliciesAPI.GetProposal(ctx, id).Execute()
	check(err)
	policy, _, err := client.PoliciesAPI.GetPolicy(ctx, sold.Payload.GetPolicyId()).Execute()
	check(err)
	require(policy.Payload.Status == "ISSUED", policy.Payload)
	events, _, err := client.EventsAPI.ListEvents(ctx).Subject(policy.Payload.PolicyId).Execute()
	check(err)
	told := events.Events[0].Data.GetActualInstance()
	event, isPolicyEvent := told.(*openapi.PolicyEvent)
	require(isPolicyEvent && event.Id == policy.Payload.PolicyId, told)
}

// The example body of a POST, with some fields changed, as a type of the client.
func example(path string, changed map[string]any, body any) {
	content, isThere := document.Paths[path].Post.RequestBody.Content["application/json"]
	require(isThere, path)
	for name, value := range changed {
		content.Example[name] = value
	}
	text, err := json.Marshal(content.Example)
	check(err)
	check(json.Unmarshal(text, body))
}

func firstPriced(recommendations []openapi.RecommendationAnswer) string {
	for _, one := range recommendations {
		if !one.IsError {
			return one.RecommendationId
		}
	}
	log.Fatal("no insurer names a price")
	return ""
}

func check(err error) {
	if refused, isRefused := err.(*openapi.GenericOpenAPIError); isRefused {
		log.Fatal(err, ": ", string(refused.Body()))
	}
	if err != nil {
		log.Fatal(err)
	}
}

func require(isTrue bool, shown any) {
	if !isTrue {
		log.Fatalf("%T: %+v", shown, shown)
	}
}
