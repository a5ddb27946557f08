//! Examples at the end of each command's help. They work beside a demo, in the folder where it was started.

use clap::Command;

/// Every command with its examples, in the order in which a reader can try them.
pub const EXAMPLES: &[(&str, &[&str])] = &[
    ("serve", &["covernote serve --demo", "covernote serve --config /etc/covernote/covernote.toml"]),
    ("worker", &["covernote worker --config /etc/covernote/covernote.toml"]),
    ("doctor", &["covernote doctor --config /etc/covernote/covernote.toml"]),
    ("ready", &["covernote ready --data covernote-demo"]),
    ("today", &["covernote today --data covernote-demo"]),
    ("waiting", &["covernote waiting list --whose mine --data covernote-demo"]),
    ("quote", &["covernote quote explain quo_01m8kh5c7ze2dv9njcbgag5bk7 --data covernote-demo"]),
    (
        "proposal",
        &[
            "covernote proposal list --data covernote-demo",
            "covernote proposal list --status PENDING --partner demo --data covernote-demo",
        ],
    ),
    (
        "policy",
        &[
            "covernote policy list --data covernote-demo",
            "covernote policy find --mobile 9876543210 --data covernote-demo",
        ],
    ),
    ("claim", &["covernote claim list --all --partner demo --data covernote-demo"]),
    ("complaint", &["covernote complaint list --data covernote-demo"]),
    (
        "premium",
        &["covernote premium list --data covernote-demo", "covernote premium accounts --data covernote-demo"],
    ),
    (
        "deposit",
        &[
            "covernote deposit list --data covernote-demo",
            "covernote deposit top-up FICTIONAL-GCL-101-0001 --amount 500000 --reference UTR-1 --data covernote-demo",
        ],
    ),
    ("refund", &["covernote refund list --data covernote-demo"]),
    (
        "statement",
        &[
            "covernote statement draft --month 2026-11 --out november --data covernote-demo",
            "covernote statement list --data covernote-demo",
        ],
    ),
    (
        "partner",
        &[
            "covernote partner create \"Sample Lender\" --scope business.quote.write --data covernote-demo",
            "covernote partner list --data covernote-demo",
        ],
    ),
    ("webhook", &["covernote webhook list --data covernote-demo"]),
    (
        "catalogue",
        &[
            "covernote catalogue check",
            "covernote catalogue price --date-of-birth 15/06/1990 --cover-amount 500000.00 --policy-term 24",
            "covernote catalogue price --members \"self:34 spouse:36 daughter:6\" --pincode 560038",
        ],
    ),
    ("insurer", &["covernote insurer check http://127.0.0.1:8181 --prices-only"]),
    ("mock-insurer", &["covernote mock-insurer --latency-ms 150"]),
    ("backup", &["covernote backup demo.backup --verify --data covernote-demo"]),
    (
        "restore",
        &["covernote restore demo.backup --verify --keyring covernote-demo/keyring --data restored-demo"],
    ),
    ("verify", &["covernote verify --data covernote-demo"]),
    ("import", &["covernote import policies policies.jsonl --data covernote-demo"]),
    ("keyring", &["covernote keyring list --data covernote-demo", "covernote keyring new > new-keyring"]),
    (
        "keys",
        &["covernote keys list --data covernote-demo", "covernote keys rotate cursor --data covernote-demo"],
    ),
    (
        "database",
        &[
            "covernote database create --data ./new-store",
            "covernote database distribute --config /etc/covernote/covernote.toml",
        ],
    ),
    ("support", &["covernote support --out support.json --data covernote-demo"]),
    (
        "operator",
        &["covernote operator list --data covernote-demo", "covernote operator example > operator.toml"],
    ),
    ("login", &["covernote login --server https://console.example"]),
    ("logout", &["covernote logout --server https://console.example"]),
    ("approval", &["covernote approval list --data covernote-demo"]),
    (
        "audit",
        &[
            "covernote audit list --most 10 --data covernote-demo",
            "covernote audit verify --data covernote-demo",
        ],
    ),
    ("person", &["covernote person find --mobile 9876543210 --data covernote-demo"]),
    ("breach", &["covernote breach list --reason \"incident 1\" --out exposed.csv --data covernote-demo"]),
    ("hold", &["covernote hold list --data covernote-demo"]),
    ("retention", &["covernote retention show --data covernote-demo"]),
    (
        "listen",
        &[
            "covernote listen --client-id demo-test --client-secret demo-test-secret --forward-to http://127.0.0.1:3000/hooks",
        ],
    ),
    (
        "trigger",
        &[
            "covernote trigger --list",
            "covernote trigger policy.issued --client-id demo-test --client-secret demo-test-secret",
        ],
    ),
    (
        "certify",
        &[
            "covernote certify --client-id demo-test --client-secret demo-test-secret --forward-to http://127.0.0.1:3000/hooks",
        ],
    ),
    ("openapi", &["covernote openapi > openapi.json"]),
    ("completions", &["covernote completions bash > covernote.bash"]),
];

/// Returns the command. The help of each subcommand then ends with its examples.
pub fn with_examples(mut command: Command) -> Command {
    for (name, lines) in EXAMPLES {
        let examples =
            format!("Examples beside 'covernote serve --demo', in its folder:\n  {}", lines.join("\n  "));
        command = command.mut_subcommand(name, |subcommand| {
            let before = subcommand.get_after_help().map(|text| format!("{text}\n\n")).unwrap_or_default();
            subcommand.after_help(before + &examples)
        });
    }
    command
}
