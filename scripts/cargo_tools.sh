# Tools from the registry of crates, which Debian does not have. Uses `target`.

# install_tool NAME VERSION: sets `tool` to the path of that version. It is compiled without optimisation, since it runs for seconds.
# The version is fixed: another one may find other faults, or write other bytes.
install_tool() {
    local tools=$target/tools
    for tool in "$1" "$tools/bin/$1"; do
        [[ " $("$tool" --version 2>/dev/null) " == *" $2 "* ]] && return
    done
    CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 cargo install "$1" --version "$2" --locked \
        --profile dev --quiet --no-track --force --root "$tools" --target-dir "$tools/build"
    rm -rf "$tools/build"
}
