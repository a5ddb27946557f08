# Installs the tools of scripts/clients and scripts/test_clients: from npm beside clients/tools/package.json, from PyPI in
# the target folder. Uses the variable `target`.

npm_tools=clients/tools/node_modules/.bin
python_tools=$target/clients/bin

# Installs tools that are missing, or differ from the lock files.
install_client_tools() {
    local folder=clients/tools venv=$target/clients
    if ! cmp --silent "$folder/package-lock.json" "$venv/package-lock.json" || [ ! -d "$folder/node_modules" ]; then
        npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel error --prefix "$folder" >&2
    fi
    if ! cmp --silent "$folder/requirements.txt" "$venv/requirements.txt"; then
        rm -rf "$venv"
        python3 -m venv "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$folder/requirements.txt" >&2
        cp "$folder/requirements.txt" "$venv"
    fi
    cp "$folder/package-lock.json" "$venv"
}
