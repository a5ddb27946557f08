insert into events (partner_id, event_id, happened_at, type, subject_id, sequence, body) values ($1, $2, $3, $4, $5, $6, $7)
