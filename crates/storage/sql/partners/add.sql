insert into partners (partner_id, client_id, name, enabled, scopes, legacy_reads, attribution, origins, return_urls, tokens_per_hour, tokens_ended_at, created_at, proof, is_test, clock_ahead)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
