-- If another worker that held the job before has stored the outcomes of this ask, they stay.
insert into health_outcomes (partner_id, quote_id, ask, body) values ($1, $2, $3, $4)
on conflict (partner_id, quote_id, ask) do nothing
