"""Verifies messages with the libraries of Standard Webhooks and of Svix, as a partner's server in Python does.

Reads one JSON object from standard input: headers, body, secrets that must accept the message, and secrets that
must refuse it. Exits with 1 and a sentence if a library disagrees.
"""

import json
import sys

import standardwebhooks
import svix.webhooks


def takes(library, secret, body, headers):
    try:
        library(secret).verify(body, headers)
        return True
    except (standardwebhooks.WebhookVerificationError, svix.webhooks.WebhookVerificationError):
        return False


def main():
    message = json.load(sys.stdin)
    headers, body = message["headers"], message["body"]
    for library in (standardwebhooks.Webhook, svix.webhooks.Webhook):
        name = library.__module__
        for secret in message["taken_by"]:
            if not takes(library, secret, body, headers):
                sys.exit(f"{name} refuses a message that is signed with its secret")
            if takes(library, secret, body + " ", headers):
                sys.exit(f"{name} takes a changed body")
            if takes(library, secret, body, {**headers, "webhook-id": "evt_other"}):
                sys.exit(f"{name} takes another id")
            old = str(int(headers["webhook-timestamp"]) - 301)
            if takes(library, secret, body, {**headers, "webhook-timestamp": old}):
                sys.exit(f"{name} takes another time")
        for secret in message["refused_by"]:
            if takes(library, secret, body, headers):
                sys.exit(f"{name} takes a message that is not signed with its secret")


main()
