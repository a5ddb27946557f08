-- When a partner's tokens of the last hour were issued: instants in microseconds, 8 bytes each.
create table token_counts (
    partner_id uuid primary key,
    issued bytea not null,
    version bigint not null
);
