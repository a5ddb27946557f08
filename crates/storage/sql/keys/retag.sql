-- If the record already has the new tag, a change of the record has added it meanwhile.
insert into tags (partner_id, tag, subject_id, named)
select partner_id, $1, subject_id, named from tags where partner_id = $2 and tag = $3 and subject_id = $4
on conflict (partner_id, tag, subject_id) do nothing
