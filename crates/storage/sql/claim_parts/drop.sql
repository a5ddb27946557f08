-- If the document was completed meanwhile, its parts stay.
delete from claim_parts where partner_id = $1 and paper_id = $2
   and not exists (select 1 from claim_papers where partner_id = $1 and paper_id = $2 and is_whole)
