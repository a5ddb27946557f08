-- Number of sales of each of a partner's groups of sales. A sale that must follow what was sold before adds one, if the
-- number is still the one that it read.
create table sale_counts (
    partner_id uuid not null,
    bucket smallint not null,
    sales bigint not null,
    primary key (partner_id, bucket)
);
-- Credit-protection proposals that were sold: status 2 of codes.rs.
create index proposals_sold on proposals (partner_id, quote_id, variant_id, proposal_id) where line = 1 and status = 2;
