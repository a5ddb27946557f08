-- Each premium, with the amounts of its proposal in the ledger. The accounts are 2 (collected), 4 (unsettled), 5
-- (received), 6 (premium) and 7 (refundable). Entry 7 is refund. Entry 16 is endorsement: its charge belongs to the
-- policy, not to the sale.
select partner_id, proposal_id, line, insurer_id, route, deposit, due, unsettled, received, applied, refundable, refunded,
       held_here, held_since, ended, decided_by, decided_at, insurer_number, created_at, changed_at, settled, proof,
       coalesce(booked.unsettled_booked, 0) as unsettled_booked, coalesce(booked.received_booked, 0) as received_booked, coalesce(booked.applied_booked, 0) as applied_booked,
       coalesce(booked.refundable_booked, 0) as refundable_booked, coalesce(booked.collected, 0) as collected, coalesce(booked.refunded_booked, 0) as refunded_booked
  from premiums
  left join (select partner_id as of_partner, proposal_id as of_proposal,
                    cast(sum(case 4 when credit then amount when debit then -amount end) as bigint) as unsettled_booked,
                    cast(sum(case 5 when credit then amount when debit then -amount end) as bigint) as received_booked,
                    cast(sum(case when entry = 16 then 0 when credit = 6 then amount when debit = 6 then -amount end) as bigint)
                        as applied_booked,
                    cast(sum(case 7 when credit then amount when debit then -amount end) as bigint) as refundable_booked,
                    cast(sum(case 2 when credit then amount when debit then -amount end) as bigint) as collected,
                    cast(sum(case entry when 7 then amount end) as bigint) as refunded_booked
               from ledger where proposal_id is not null group by 1, 2) as booked
    on booked.of_partner = premiums.partner_id and booked.of_proposal = premiums.proposal_id
