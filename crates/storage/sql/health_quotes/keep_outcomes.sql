-- Each ask is answered once: what another holder of the job kept before stays.
insert into health_outcomes (partner_id, quote_id, ask, body) values ($1, $2, $3, $4)
on conflict (partner_id, quote_id, ask) do nothing
