-- Events that an endpoint has still to take. 2 is delivered.
create index deliveries_open on deliveries (partner_id, event_id) where state <> 2;

-- Deliveries to an endpoint in one state, of those that are not delivered.
create index deliveries_by_state on deliveries (endpoint_id, state, event_id) where state <> 2;

-- Policies that can be renewed, by their last day. 1 is ISSUED.
create index policies_renewable on policies (partner_id, last_day, policy_id) where state = 1 and renewable_until is not null;
