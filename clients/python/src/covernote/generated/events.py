"""An event, as a webhook delivers it. Made by scripts/clients from the OpenAPI document: do not edit."""

from .models import WebhookEvent

__all__ = ["WebhookEvent"]
