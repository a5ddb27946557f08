"""What is generated for the client. Made by scripts/clients from the OpenAPI document: do not edit."""
