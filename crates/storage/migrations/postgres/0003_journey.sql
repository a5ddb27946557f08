-- The journey, with the health proposals and policies that come of it or are imported.

-- `quote_id` and `variant_id` are those of a proposal that the journey made; an imported one has neither.
create table health_proposals (
    partner_id uuid not null,
    proposal_id uuid not null,
    created_at bigint not null,
    changed_at bigint not null,
    session_id uuid,
    quote_id uuid,
    variant_id uuid,
    status smallint not null,
    insurer_reference text,
    reason bytea,
    body bytea not null,
    primary key (partner_id, proposal_id)
);
create index health_proposals_by_time on health_proposals (partner_id, created_at, proposal_id);
create index health_proposals_by_session on health_proposals (partner_id, session_id, created_at, proposal_id)
    where session_id is not null;
create index health_proposals_by_id on health_proposals (proposal_id);
-- One active proposal for each quote and variant: 4 is CANCELLED, 6 is REJECTED.
create unique index health_proposals_active on health_proposals (partner_id, quote_id, variant_id)
    where quote_id is not null and status not in (4, 6);

create table health_moves (
    partner_id uuid not null,
    proposal_id uuid not null,
    moved_at bigint not null,
    place integer not null,
    moved_by smallint not null,
    from_status smallint,
    to_status smallint not null,
    reason bytea,
    primary key (partner_id, proposal_id, place)
);

-- An imported policy has neither check code nor certificate, and no proposal of ours.
create table health_policies (
    partner_id uuid not null,
    policy_id uuid not null,
    issued_at bigint not null,
    session_id uuid,
    proposal_id uuid,
    check_code uuid unique,
    number text not null,
    insurer_number text,
    body bytea not null,
    certificate bytea,
    primary key (partner_id, policy_id)
);
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
    partner_id uuid not null,
    journey_id uuid not null,
    token_id uuid not null,
    seen_at bigint not null,
    version integer not null,
    cookie_hash bytea not null unique,
    body bytea not null,
    primary key (partner_id, journey_id),
    unique (partner_id, token_id)
);
create index journeys_by_age on journeys (seen_at);
