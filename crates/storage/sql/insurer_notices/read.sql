select issued, endorsements, claims, withdrawn, cancelled from insurer_notices where partner_id = $1 and policy_id = $2
