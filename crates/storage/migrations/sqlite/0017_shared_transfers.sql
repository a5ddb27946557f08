-- A bank transfer that pays several claims: its total, and the sum of the parts that are noted. `paid_for` then has the
-- ids of all, with spaces between.
alter table payments add column total integer;
alter table payments add column used integer;
