-- When a partner's tokens of the last hour were issued: instants in microseconds, 8 bytes each.
create table token_counts (
    partner_id blob primary key,
    issued blob not null,
    version integer not null
) strict, without rowid;
