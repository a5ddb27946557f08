with dropped as (
    delete from claim_papers where partner_id = $1 and paper_id = $2 and not is_whole returning 1
)
delete from claim_parts using dropped where partner_id = $1 and paper_id = $2
