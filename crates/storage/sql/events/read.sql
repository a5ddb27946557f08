select partner_id, event_id, happened_at, type as kind, subject_id, sequence, body from events where partner_id = $1 and event_id = $2
