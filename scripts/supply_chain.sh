# The parts of scripts/test that check third-party software: advisories on crates, the bill of materials, npm packages.
# Uses `target`, `step`, `fail` and `not_checked` of scripts/test.

# The database of advisories is a git repository, which some machines cannot reach. An older copy would not have the newest
# advisories.
check_advisories() {
    local said
    if said=$(GIT_TERMINAL_PROMPT=0 timeout 120 "$cargo_deny" --color never fetch db 2>&1); then
        "$cargo_deny" --locked check --deny warnings advisories
    else
        said=${said:-no answer in 120 seconds}
        not_checked "advisories on the crates in Cargo.lock. Their database cannot be fetched: ${said##*$'\n'}"
        check_yanked
    fi
}

# The registry knows which versions were yanked, but cargo-deny only checks that together with a database of advisories. So it
# gets a database with one advisory on a crate that does not exist. Git replaces its address with a local folder.
check_yanked() {
    local folder=$target/tools/no-advisories url=https://advisories.invalid/none
    rm -rf "$folder" && mkdir -p "$folder/database/crates/none"
    printf '%s\n' '```toml' '[advisory]' 'id = "NONE-2000-0001"' 'package = "none"' 'date = "2000-01-01"' \
        '[versions]' 'patched = []' '```' '# None' >"$folder/database/crates/none/NONE-2000-0001.md"
    git -C "$folder/database" init --quiet --initial-branch main
    git -C "$folder/database" add .
    git -C "$folder/database" -c user.name=none -c user.email=none -c commit.gpgsign=false commit --quiet --message none
    sed "s|^\[advisories\]\$|&\ndb-path = \"$folder/fetched\"\ndb-urls = [\"$url\"]|" deny.toml >"$folder/deny.toml"
    printf 'only yanked versions: '
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$folder/database.insteadOf" GIT_CONFIG_VALUE_0="$url" \
        "$cargo_deny" --locked --config "$folder/deny.toml" check --deny warnings --allow advisory-not-detected advisories
}

# The bill of materials must have exactly the packages from which cargo builds the program. Those from the registry must have a
# checksum; all must have a licence and a purl, and something must depend on them.
check_sbom() {
    local sbom=$target/covernote.cdx.json
    scripts/sbom >"$sbom"
    diff <(jq -r '.metadata.component, .components[] | select(.purl | test("^pkg:(cargo|generic/covernote)[/@]"))
            | "\(.name) v\(.version)"' "$sbom" | sort) \
        <(cargo tree --locked --package covernote --edges normal,build --prefix none --format '{p}' | sed 's/ (.*//' | sort -u) ||
        fail "the bill of materials (<) differs from the packages of the program (>)"
    jq -e '
        ([.dependencies[].dependsOn // [] | .[]] | map({key: ., value: true}) | from_entries) as $needed
        | [.components[] | select((.licenses[0].expression and .version and $needed[.purl]
            and (.hashes[0].content or (.purl | startswith("pkg:cargo/") | not))) | not) | .purl]
        | if . == [] then true else error("incomplete in the bill of materials: \(.)") end' "$sbom" >/dev/null
    printf 'the bill of materials has %s packages: %s\n' "$(jq '.components | length' "$sbom")" "$sbom"
}

# Some mirrors of the npm registry do not answer audits.
check_npm() {
    local report reason
    report=$(timeout 120 npm audit --json --audit-level moderate --fetch-retries 1 --prefix "$1") && return
    if [[ $report == *'"auditReportVersion"'* ]]; then
        jq -r '.vulnerabilities[] | "\(.severity): \(.name) \(.range): \([.via[] | .title? // .] | join("; "))"' <<<"$report"
        fail "npm audit found vulnerabilities in $1"
    fi
    reason=$(jq -r '.message // .error.summary // empty' <<<"$report") || reason=$report
    not_checked "advisories on the packages in $1. The registry does not answer an audit: ${reason:-no answer in 120 seconds}"
}
