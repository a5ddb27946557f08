-- What a partner uploaded on a day is counted before it uploads more (D112).
create index claim_papers_by_day on claim_papers (partner_id, added_at, bytes);
