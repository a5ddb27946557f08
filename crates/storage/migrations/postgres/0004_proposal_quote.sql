-- The quote that a proposal was made from, so that both are read at once. Proposals from before this have none here: it
-- stands in their bodies.
alter table proposals add column quote_id uuid;
