#!/bin/sh
# The demonstration behind `make demo`: finds the bug of the registration server in which a client
# stops the server twice, then replays the ticket that the check wrote; then finds a lost update of a C++ program.
# The checks must exit with 1 (a bug); anything else is a failure of the demonstration.
set -u
cd "$(dirname "$0")/.." || exit 2
ravel=${RAVEL:-build/ravel}
step=examples/registration_server/step_07
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT

run() {
    printf '$ %s\n\n' "$*"
    "$@"
}

run "$ravel" check "$step/reg_server.erl" "$step/reg_server_tests.erl" \
    -t reg_server_tests:multiple_stops_test --color always --out "$out"
status=$?
if [ "$status" -ne 1 ]; then
    echo "demo: ravel check exits with $status; 1 (a bug was found) is expected" >&2
    exit 1
fi

ticket=
for file in "$out"/*.ticket.json; do
    [ -f "$file" ] && ticket=$file && break
done
if [ -z "$ticket" ]; then
    echo "demo: ravel check wrote no ticket into $out" >&2
    exit 1
fi

printf '\n'
run "$ravel" replay "$ticket"
status=$?
if [ "$status" -ne 1 ]; then
    echo "demo: ravel replay exits with $status; 1 (the bug is still there) is expected" >&2
    exit 1
fi

printf '\n'
run "$(dirname "$ravel")/ravel-c++" examples/threads/account.cc -o "$out/account" || exit 1
run "$ravel" check "$out/account" --color always --out "$out/threads"
status=$?
if [ "$status" -ne 1 ]; then
    echo "demo: ravel check exits with $status; 1 (a bug was found) is expected" >&2
    exit 1
fi
