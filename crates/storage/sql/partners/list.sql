select partner_id, client_id, name, enabled, scopes, legacy_reads, attribution, origins, return_urls, tokens_per_hour, created_at
  from partners
