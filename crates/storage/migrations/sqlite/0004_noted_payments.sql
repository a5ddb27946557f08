-- Payments of claims and refunds by their references in capitals, each of which pays one (D116). `paid_for` is the id of what it
-- paid.
create table payments (
    reference text primary key,
    paid_for text not null,
    noted_at integer not null
) strict, without rowid;

-- References that differ in case alone are the same.
create unique index receipts_once on receipts (partner_id, upper(reference));
