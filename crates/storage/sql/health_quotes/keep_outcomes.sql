-- Each question to an insurer is answered once: an answer that an earlier holder of the job stored stays.
insert into health_outcomes (partner_id, quote_id, ask, body) values ($1, $2, $3, $4)
on conflict (partner_id, quote_id, ask) do nothing
