-- verify/premiums.sql: each with what the ledger has on the accounts of its proposal, numbered in codes.rs. What an endorsement
-- costs (entry 16) is premium of the policy, not of the sale.
select partner_id, proposal_id, line, insurer_id, route, deposit, due, unsettled, received, applied, refundable, refunded,
       held_here, held_since, ended, decided_by, decided_at, insurer_number, created_at, changed_at, proof,
       booked.unsettled_booked, booked.received_booked, booked.applied_booked, booked.refundable_booked, booked.collected
  from premiums
  left join (select partner_id as of_partner, proposal_id as of_proposal,
                    sum(amount * ((credit = 4) - (debit = 4))) as unsettled_booked,
                    sum(amount * ((credit = 5) - (debit = 5))) as received_booked,
                    sum(amount * ((credit = 6) - (debit = 6)) * (entry <> 16)) as applied_booked,
                    sum(amount * ((credit = 7) - (debit = 7))) as refundable_booked,
                    sum(amount * ((credit = 2) - (debit = 2))) as collected
               from ledger where proposal_id is not null group by partner_id, proposal_id) as booked
    on booked.of_partner = premiums.partner_id and booked.of_proposal = premiums.proposal_id
