# Tools from crates.io that Debian does not have. Uses the variable `target`.

# install_tool NAME VERSION: installs that version if needed, and sets `tool` to its path. It is compiled without optimisation,
# because it runs only for seconds. The version is fixed: another one may report other faults, or write other bytes.
install_tool() {
    local tools=$target/tools
    for tool in "$1" "$tools/bin/$1"; do
        [[ " $("$tool" --version 2>/dev/null) " == *" $2 "* ]] && return
    done
    CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 cargo install "$1" --version "$2" --locked \
        --profile dev --quiet --no-track --force --root "$tools" --target-dir "$tools/build"
    rm -rf "$tools/build"
}
