#!/bin/sh
# Runs a test of the page in a browser: run.sh PAGE FOLDER TEST.mjs. Exits with 77 (skipped) and says why, where the page,
# Node.js, the browser or the packages of the test are missing. FOLDER gets a copy of the tests and their packages.
set -u
page=$1 folder=$2 test=$3
here=$(cd "$(dirname "$0")" && pwd)

skip() {
    echo "skipped: $*"
    exit 77
}

[ -s "$page" ] || skip "the page was left out of this build ($page)"
node=$(command -v node) || skip "Node.js is not installed (Debian: nodejs)"
# playwright-core needs it.
[ "$("$node" -p 'Number(process.versions.node.split(".")[0]) >= 20')" = true ] || skip "Node.js is older than 20"
npm=$(command -v npm) || skip "npm is not installed"
chromium=${RAVEL_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)} ||
    skip "Chromium is not installed (Debian: chromium)"
firefox=${RAVEL_FIREFOX:-$(command -v firefox-esr || command -v firefox)} || [ "$test" != firefox_test.mjs ] ||
    skip "Firefox is not installed (Debian: firefox-esr)"

mkdir -p "$folder" || exit 2
# Tests of several processes install the packages once.
exec 9> "$folder/lock"
flock 9
cp "$here"/*.mjs "$here"/package.json "$folder" || exit 2
if ! cmp -s "$here/package-lock.json" "$folder/node_modules/installed-lock.json"; then
    cp "$here/package-lock.json" "$folder" || exit 2
    (cd "$folder" && "$npm" ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 > npm.log 2>&1) ||
        skip "npm cannot install the packages of the tests: $(tail -1 "$folder/npm.log")"
    cp "$folder/package-lock.json" "$folder/node_modules/installed-lock.json"
fi
flock -u 9

RAVEL_PAGE=$page RAVEL_CHROMIUM=$chromium RAVEL_FIREFOX=${firefox:-} RAVEL_SOURCE_DIR=$(cd "$here/../.." && pwd) \
    exec "$node" --test --test-reporter=spec "$folder/$test"
