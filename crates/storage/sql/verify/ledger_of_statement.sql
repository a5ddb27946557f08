-- What the lines of a partner's statement add to the account 12 (partner-commission), by entry. `reference` is a hash by
-- one of two keys ($2, $3), or the number in clear text in an old row ($4).
select entry, cast(sum(case 12 when credit then amount when debit then -amount else 0 end) as bigint)
  from ledger where partner_id = $1 and proposal_id is null and upper(reference) in ($2, $3, $4) group by entry
