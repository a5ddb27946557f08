-- Its number among the events of its subject was counted just before.
insert into events (partner_id, event_id, happened_at, type, subject_id, body, sequence)
select $1, $2, $3, $4, $5, $6, number from event_counts where partner_id = $1 and subject_id = $5
