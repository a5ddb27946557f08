select event_id, happened_at, type, subject_id, sequence, body, partner_id from events
