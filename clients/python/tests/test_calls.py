"""Calls against a service that answers by a script: tokens, retries, pages, errors."""

import json
import re
import unittest
from collections.abc import Callable
from typing import Any

import httpx

from covernote import Answered, ApiError, CallOptions, Covernote, CovernoteError, NoAnswerError, Retry
from covernote.generated.operations import OPERATIONS
from covernote.models import CreateQuoteBody

Answer = httpx.Response | Exception
QUOTE: CreateQuoteBody = {
    "date_of_birth": "15/06/1990",
    "gender": "FEMALE",
    "cover_amount": "500000.00",
    "policy_term": 24,
}


def refusal(status: int, code: str, **headers: str) -> httpx.Response:
    """An answer of the service that refuses."""
    body = {"type": code, "title": "a title", "detail": "a detail", "instance": "/v1"}
    return httpx.Response(status, json=body, headers={"x-request-id": "r-1", **headers})


class Service:
    """Answers tokens by itself, and everything else by a script."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.tokens = 0
        #: The scopes of each token.
        self.scopes: list[list[str]] = []
        self.waits: list[float] = []
        self.answered: list[Answered] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/auth/token":
            self.tokens += 1
            self.scopes.append(json.loads(request.content)["scopes"])
            payload = {"access_token": f"token-{self.tokens}", "expires_in": 3600, "token_type": "Bearer"}
            return httpx.Response(200, json={"payload": payload})
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self, clock: Callable[[], float] | None = None, **settings: Any) -> Covernote:
        """A client of it that waits for nothing."""
        http = httpx.Client(transport=httpx.MockTransport(self))
        client = Covernote("http://service/", "id", "secret", http=http, on_answer=self.answered.append, **settings)
        now = [0.0]

        def sleep(seconds: float) -> None:
            self.waits.append(seconds)
            now[0] += seconds

        transport = client._transport
        transport._sleep, transport._clock, transport._chance = sleep, clock or (lambda: now[0]), lambda: 1.0
        transport.tokens._clock = transport._clock
        return client

    def keys(self) -> list[str | None]:
        """The idempotency keys that came."""
        return [request.headers.get("idempotency-key") for request in self.requests]


class Tokens(unittest.TestCase):
    def test_one_token_serves_many_calls_until_shortly_before_it_ends(self) -> None:
        now = [0.0]
        service = Service(*[httpx.Response(200, json={"events": []}) for _ in range(4)])
        client = service.client(clock=lambda: now[0])
        for now[0], tokens in ((0.0, 1), (3539.0, 1), (3541.0, 2), (7000.0, 2)):
            client.list_events()
            self.assertEqual(service.tokens, tokens)
        self.assertEqual(service.requests[3].headers["authorization"], "Bearer token-2")

    def test_a_token_that_is_refused_is_replaced_once(self) -> None:
        service = Service(refusal(401, "A4001"), httpx.Response(201, json={"payload": {}}))
        client = service.client(retry=Retry(attempts=1))
        client.add_webhook_endpoint({"url": "https://partner.example", "types": ["*"]})
        sent = [request.headers["authorization"] for request in service.requests]
        self.assertEqual(sent, ["Bearer token-1", "Bearer token-2"])
        service.answers = [refusal(401, "A4001"), refusal(401, "A4001")]
        with self.assertRaises(ApiError) as refused:
            client.list_events()
        self.assertEqual((refused.exception.code, service.tokens, service.answers), ("A4001", 3, []))

    def test_a_call_has_a_token_with_the_one_scope_that_it_needs(self) -> None:
        service = Service(*[httpx.Response(200, json={"payload": {}, "events": []}) for _ in range(4)])
        client = service.client()
        client.create_quote(QUOTE)
        client.list_events()
        client.list_webhook_endpoints()
        client.create_quote(QUOTE)
        self.assertEqual(service.scopes, [["business.quote.write"], ["business.webhook"]])
        sent = [request.headers["authorization"] for request in service.requests]
        self.assertEqual(sent, ["Bearer token-1", "Bearer token-2", "Bearer token-2", "Bearer token-1"])

    def test_every_operation_asks_for_its_scope_alone(self) -> None:
        for operation in OPERATIONS:
            if operation.id == "generateToken":
                continue
            service = Service(httpx.Response(200, json={"payload": {}}))
            path = dict.fromkeys(re.findall(r"\{(\w+)\}", operation.path), "1")
            service.client()._call(operation, path=path)
            self.assertEqual(service.scopes, [[operation.scope]] if operation.scope else [], operation.id)

    def test_named_scopes_are_those_of_one_token_for_all_calls(self) -> None:
        service = Service(*[httpx.Response(200, json={"payload": {}, "events": []}) for _ in range(2)])
        client = service.client(scopes=["business.quote.write", "business.webhook"])
        client.create_quote(QUOTE)
        client.list_events()
        self.assertEqual(service.scopes, [["business.quote.write", "business.webhook"]])

    def test_a_refused_token_of_one_scope_leaves_the_others(self) -> None:
        good = [httpx.Response(200, json={"payload": {}, "events": []}) for _ in range(4)]
        service = Service(*good[:2], refusal(401, "A4001"), *good[2:])
        client = service.client()
        for call in (client.list_events, lambda: client.create_quote(QUOTE)):
            call()
            call()
        self.assertEqual(service.scopes, [["business.webhook"], ["business.quote.write"], ["business.quote.write"]])

    def test_a_token_for_another_request_has_the_scopes_that_are_named(self) -> None:
        service = Service()
        client = service.client()
        self.assertEqual(client.access_token("business.session"), "token-1")
        self.assertEqual(client.access_token("business.session"), "token-1")
        with self.assertRaises(ValueError):
            client.access_token()
        wide = service.client(scopes=["business"])
        self.assertEqual([wide.access_token(), wide.access_token("business.session")], ["token-2", "token-3"])
        self.assertEqual(service.scopes, [["business.session"], ["business"], ["business.session"]])

    def test_an_insurers_secret_stands_for_the_token(self) -> None:
        service = Service(refusal(401, "A4001"))
        with self.assertRaises(ApiError):
            service.client().get_claim_of_insurer("ins_1", "clm_1", CallOptions(bearer="secret"))
        self.assertEqual(service.requests[0].headers["authorization"], "Bearer secret")
        self.assertEqual(service.tokens, 0)


class Retries(unittest.TestCase):
    def test_a_request_with_a_key_is_the_same_request_each_time(self) -> None:
        done = httpx.Response(200, json={"payload": {"quote_id": "quo_1"}}, headers={"idempotency-replayed": "true"})
        lost = httpx.ReadError("lost")
        service = Service(refusal(503, "E5030", **{"retry-after": "7"}), lost, httpx.Response(502), done)
        quote = service.client().create_quote(QUOTE)
        self.assertEqual(quote["quote_id"], "quo_1")
        self.assertEqual(len(set(service.keys())), 1)
        self.assertTrue(service.keys()[0])
        self.assertEqual(len({request.content for request in service.requests}), 1)
        self.assertEqual(service.waits, [8.0, 2.0, 4.0])
        told = [(one.status, one.attempt, one.replayed) for one in service.answered]
        self.assertEqual(told[1:], [(503, 1, False), (502, 3, False), (200, 4, True)])

    def test_a_key_can_be_given(self) -> None:
        service = Service(httpx.Response(200, json={"payload": {}}))
        service.client().create_quote(QUOTE, CallOptions(idempotency_key="sale-17"))
        self.assertEqual(service.keys(), ["sale-17"])

    def test_a_request_without_a_key_is_not_sent_again_where_it_may_have_been_done(self) -> None:
        for answer in (
            httpx.ReadError("lost"),
            httpx.ReadTimeout("late"),
            refusal(503, "E5030"),
            refusal(500, "E5000"),
        ):
            service = Service(answer)
            with self.assertRaises((ApiError, NoAnswerError)):
                service.client().ping_webhook_endpoint("whe_1")
            self.assertEqual((service.keys(), service.waits), ([None], []))

    def test_a_request_without_a_key_is_sent_again_where_it_was_not_done(self) -> None:
        for answer in (httpx.ConnectError("refused"), refusal(429, "A4290", **{"retry-after": "3"})):
            service = Service(answer, httpx.Response(202, json={"payload": {}}))
            service.client().ping_webhook_endpoint("whe_1")
            self.assertEqual(len(service.requests), 2)

    def test_what_reads_is_sent_again(self) -> None:
        service = Service(httpx.ReadError("lost"), httpx.Response(200, json={"payload": {}}))
        service.client().quote_cancellation("pol_1", {"reason": "FREE_LOOK"})
        self.assertEqual(service.keys(), [None, None])

    def test_a_refusal_is_final(self) -> None:
        for status, code in ((400, "V4000"), (403, "A4030"), (404, "R4040"), (409, "S4090"), (422, "V4220")):
            service = Service(refusal(status, code))
            with self.assertRaises(ApiError) as refused:
                service.client().create_quote(QUOTE)
            self.assertEqual((refused.exception.status, refused.exception.code), (status, code))

    def test_attempts_and_time_are_bounded(self) -> None:
        service = Service(*[httpx.ConnectError("refused") for _ in range(9)])
        with self.assertRaises(NoAnswerError):
            service.client().list_events()
        self.assertEqual(service.waits, [1.0, 2.0, 4.0, 8.0])
        service = Service(*[refusal(503, "E5030", **{"retry-after": "25"}) for _ in range(9)])
        with self.assertRaises(ApiError) as refused:
            service.client().list_events()
        self.assertEqual((service.waits, refused.exception.retry_after), ([26.0, 26.0], 25.0))

    def test_waits_differ_from_client_to_client(self) -> None:
        self.assertEqual(Retry().wait(1, 0.0, None, lambda: 0.0), 0.5)
        self.assertEqual(Retry().wait(1, 0.0, None, lambda: 1.0), 1.0)
        self.assertEqual(Retry().wait(1, 0.0, 5.0, lambda: 0.0), 5.0)


class Answers(unittest.TestCase):
    def test_a_refusal_has_all_that_the_service_says(self) -> None:
        faults = [{"field": "gender", "message": "a message"}]
        body = {"type": "V4000", "title": "t", "detail": "d", "instance": "/i", "additional_info": faults}
        service = Service(httpx.Response(400, json=body, headers={"x-request-id": "r-1"}))
        with self.assertRaises(ApiError) as refused:
            service.client().create_quote(QUOTE)
        error = refused.exception
        said = (error.code, error.title, error.detail, error.instance, error.request_id)
        self.assertEqual(said, ("V4000", "t", "d", "/i", "r-1"))
        self.assertEqual([(fault.field, fault.message) for fault in error.additional_info], [("gender", "a message")])
        self.assertIn("gender: a message", str(error))

    def test_what_stands_before_the_service_may_refuse_in_its_own_words(self) -> None:
        for answer in (httpx.Response(403, text="<html>"), httpx.Response(403, json=["no"]), httpx.Response(403)):
            with self.assertRaises(ApiError) as refused:
                Service(answer).client().list_events()
            self.assertEqual((refused.exception.code, refused.exception.title), (None, "Forbidden"))

    def test_what_is_no_answer_of_the_service_is_an_error(self) -> None:
        with self.assertRaises(ApiError) as refused:
            Service(httpx.Response(302, headers={"location": "https://login.example"})).client().list_events()
        self.assertEqual(refused.exception.status, 302)
        with self.assertRaises(CovernoteError):
            Service(httpx.Response(200, text="<html>")).client().list_events()

    def test_pages_follow_one_another_with_their_filter(self) -> None:
        pages = [
            {"events": [{"id": "1"}, {"id": "2"}], "has_next": True, "end_cursor": "2"},
            {"events": [{"id": "3"}], "has_next": False, "end_cursor": "3"},
        ]
        service = Service(*[httpx.Response(200, json=page) for page in pages])
        events = service.client().iterate_events(type="policy.issued", limit=2)
        self.assertEqual([event["id"] for event in events], ["1", "2", "3"])
        queries = [dict(request.url.params) for request in service.requests]
        first = {"type": "policy.issued", "limit": "2"}
        self.assertEqual(queries, [first, {**first, "next": "2"}])

    def test_a_recommendation_is_waited_for(self) -> None:
        jobs = [{"status": status, "completed_variants": 1, "total_variants": 3} for status in ("pending", "success")]
        answers = [httpx.Response(200, json={"payload": job}) for job in (jobs[0], jobs[0], jobs[1])]
        service = Service(*answers)
        self.assertEqual(service.client().wait_for_recommendation("quo_1")["status"], "success")
        self.assertEqual(service.waits, [2.0, 2.0])
        service = Service(*[httpx.Response(200, json={"payload": jobs[0]}) for _ in range(3)])
        with self.assertRaisesRegex(TimeoutError, "1 of 3 variants"):
            service.client().wait_for_recommendation("quo_1", timeout=5)
        self.assertEqual(len(service.requests), 3)

    def test_a_path_holds_any_id(self) -> None:
        service = Service(httpx.Response(200, json={"policy": {}}))
        service.client().get_policy_legacy("IGI/2026/00002 ?")
        self.assertEqual(service.requests[0].url.raw_path, b"/v1/business/health/policies/IGI%2F2026%2F00002%20%3F")
        for bad in ("", "..", "."):
            with self.assertRaises(ValueError):
                service.client().get_policy_legacy(bad)

    def test_bytes_come_with_their_name(self) -> None:
        given = {"content-type": "application/pdf", "content-disposition": 'attachment; filename="certificate-1.pdf"'}
        service = Service(httpx.Response(200, content=b"%PDF", headers=given))
        certificate = service.client().download("http://service/v1/embedded/policy/x")
        self.assertEqual((certificate.content, certificate.filename), (b"%PDF", "certificate-1.pdf"))
        self.assertNotIn("authorization", service.requests[0].headers)

    def test_an_answer_with_an_etag_is_not_sent_twice(self) -> None:
        service = Service(
            httpx.Response(200, json={"n": 1}, headers={"etag": '"a"'}),
            httpx.Response(304, headers={"etag": '"a"'}),
            httpx.Response(200, json={"n": 2}, headers={"etag": '"b"'}),
        )
        transport = service.client()._transport
        from covernote.operation import Operation

        reads = Operation("x", "GET", "/x", scope="business", keyed=False, safe=True, tagged=True, gives="json")
        answers = [transport.call(reads, {}, {}, None, None) for _ in range(3)]
        self.assertEqual(answers, [{"n": 1}, {"n": 1}, {"n": 2}])
        sent = [request.headers.get("if-none-match") for request in service.requests]
        self.assertEqual(sent, [None, '"a"', '"a"'])

    def test_a_body_is_sent_as_it_is_written(self) -> None:
        service = Service(httpx.Response(201, json={"session_id": "ses_1", "metadata": {}}))
        service.client().open_session({"metadata": {"branch": "इंदिरानगर"}})
        self.assertEqual(json.loads(service.requests[0].content), {"metadata": {"branch": "इंदिरानगर"}})
