-- What is erased with a record is found by the record.
create index tags_by_subject on tags (partner_id, subject_id, tag);

-- Records that a legal hold keeps from erasure and removal: by their ids with and without their kinds. `reason` is sealed.
create table holds (
    record_id blob primary key,
    record text not null,
    held_at integer not null,
    held_by text not null,
    reason blob not null
) strict, without rowid;

-- The erasures of the journal that this store has done.
create table erasures (
    erasure_id blob primary key,
    erased_at integer not null
) strict, without rowid;

-- Proposals and policies that were removed or erased: the books still name them.
create table erased_records (
    partner_id blob not null,
    record_id blob not null,
    kind integer not null,
    erased_at integer not null,
    primary key (partner_id, record_id)
) strict, without rowid;

-- Consents that customers took back.
create table withdrawn_consents (
    partner_id blob not null,
    proposal_id blob not null,
    purpose integer not null,
    withdrawn_at integer not null,
    primary key (partner_id, proposal_id, purpose)
) strict, without rowid;

create index complaints_by_policy on complaints (partner_id, policy_id, complaint_id) where policy_id is not null;
