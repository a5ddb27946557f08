-- The journey, with the health proposals and policies that come of it or are imported.

-- `quote_id` and `variant_id` are those of a proposal that the journey made; an imported one has neither.
create table health_proposals (
    partner_id blob not null,
    proposal_id blob not null,
    status integer not null,
    created_at integer not null,
    changed_at integer not null,
    session_id blob,
    quote_id blob,
    variant_id blob,
    insurer_reference text,
    reason blob,
    body blob not null,
    primary key (partner_id, proposal_id)
) strict;
create index health_proposals_by_time on health_proposals (partner_id, created_at, proposal_id);
create index health_proposals_by_session on health_proposals (partner_id, session_id, created_at, proposal_id)
    where session_id is not null;
create index health_proposals_by_id on health_proposals (proposal_id);
-- One active proposal for each quote and variant: 4 is CANCELLED, 6 is REJECTED.
create unique index health_proposals_active on health_proposals (partner_id, quote_id, variant_id)
    where quote_id is not null and status not in (4, 6);

create table health_moves (
    partner_id blob not null,
    proposal_id blob not null,
    place integer not null,
    moved_at integer not null,
    moved_by integer not null,
    from_status integer,
    to_status integer not null,
    reason blob,
    primary key (partner_id, proposal_id, place)
) strict, without rowid;

-- An imported policy has neither check code nor certificate, and no proposal of ours.
create table health_policies (
    partner_id blob not null,
    policy_id blob not null,
    issued_at integer not null,
    session_id blob,
    proposal_id blob,
    number text not null,
    insurer_number text,
    check_code blob unique,
    body blob not null,
    certificate blob,
    primary key (partner_id, policy_id)
) strict;
create unique index health_policies_by_number on health_policies (partner_id, number);
create unique index health_policies_by_proposal on health_policies (partner_id, proposal_id)
    where proposal_id is not null;
create index health_policies_by_insurer_number on health_policies (partner_id, insurer_number, issued_at, policy_id)
    where insurer_number is not null;
create index health_policies_by_time on health_policies (partner_id, issued_at, policy_id);
create index health_policies_by_session on health_policies (partner_id, session_id, issued_at, policy_id)
    where session_id is not null;

-- A token opens one journey; its browser is known by the hash of a cookie.
create table journeys (
    partner_id blob not null,
    journey_id blob not null,
    token_id blob not null,
    cookie_hash blob not null unique,
    seen_at integer not null,
    version integer not null,
    body blob not null,
    primary key (partner_id, journey_id),
    unique (partner_id, token_id)
) strict;
create index journeys_by_age on journeys (seen_at);
