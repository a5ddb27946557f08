-- events/count has just counted this event, so the count of its subject is its sequence number.
insert into events (partner_id, event_id, happened_at, type, subject_id, body, sequence)
select $1, $2, $3, $4, $5, $6, number from event_counts where partner_id = $1 and subject_id = $5
