select partner_id, client_id, name, enabled, scopes, legacy_reads, attribution, origins, return_urls, tokens_per_hour, tokens_ended_at, created_at, proof,
       is_test, clock_ahead
  from partners
