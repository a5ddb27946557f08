// Made by scripts/clients from the OpenAPI document: do not edit.

export type { WebhookEvent } from "./schema.js";
