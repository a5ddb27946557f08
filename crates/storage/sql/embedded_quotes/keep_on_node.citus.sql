-- embedded_quotes/keep_on_node.citus.sql: quotes of one partner, whose number stands in the text. One that does not come back has
-- an id that is taken.
insert into embedded_quotes (partner_id, quote_id, body) values {rows}
on conflict (partner_id, quote_id) do update set body = excluded.body where embedded_quotes.body = excluded.body
returning quote_id
