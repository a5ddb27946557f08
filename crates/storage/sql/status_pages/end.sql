insert into status_pages (partner_id, proposal_id, ended_at) values ($1, $2, $3)
on conflict (partner_id, proposal_id) do update set ended_at = excluded.ended_at
