insert into ledger (posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id, reference)
select * from unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::smallint[], $5::bigint[], $6::uuid[], $7::text[],
                     $8::uuid[], $9::uuid[], $10::text[])
