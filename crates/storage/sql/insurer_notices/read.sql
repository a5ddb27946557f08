select issued, endorsements, claims, cancelled from insurer_notices where partner_id = $1 and policy_id = $2
