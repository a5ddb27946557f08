update partners
   set name = $1, enabled = $2, scopes = $3, legacy_reads = $4, attribution = $5, origins = $6, return_urls = $7, tokens_per_hour = $8,
       tokens_ended_at = $9, proof = $10, clock_ahead = $11
 where partner_id = $12
