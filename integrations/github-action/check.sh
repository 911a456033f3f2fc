#!/bin/bash
# The step of the action that checks: installs the package if one is given, runs ravel check, and leaves
# its results in a folder. Its exit status is Ravel's.
#
# RAVEL_PACKAGE: a file, an address, or nothing. RAVEL_ARGUMENTS: arguments of ravel check, as a shell reads
# them. RAVEL_RESULTS: the folder of the results. GITHUB_OUTPUT, GITHUB_STEP_SUMMARY: where the runner reads.
set -euo pipefail

as_root=""
[ "$(id -u)" = 0 ] || as_root=sudo

install_package() {
    local package=$RAVEL_PACKAGE fetched=""
    case $package in
    http://* | https://*)
        fetched=$(mktemp -d)
        curl --fail --silent --show-error --location --output "$fetched/ravel.deb" "$package"
        package=$fetched/ravel.deb
        ;;
    esac
    if [ ! -f "$package" ]; then
        echo "::error::There is no package $package. The input 'package' names a file or an address." >&2
        exit 2
    fi
    $as_root apt-get -q update
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y "$(realpath "$package")"
    [ -z "$fetched" ] || rm -rf "$fetched"
}

[ -z "$RAVEL_PACKAGE" ] || install_package
if ! command -v ravel > /dev/null; then
    echo "::error::ravel is not installed. Give the action's input 'package', or install it before." >&2
    exit 2
fi

mkdir -p "$RAVEL_RESULTS"
declare -a arguments=()
# The inputs are those of the workflow, whose author may run any command here anyway.
[ -z "$RAVEL_ARGUMENTS" ] || eval "arguments=($RAVEL_ARGUMENTS)"

status=0
ravel check --out "$RAVEL_RESULTS/tickets" --json "$RAVEL_RESULTS/ravel.json" \
    --junit "$RAVEL_RESULTS/ravel.xml" --sarif "$RAVEL_RESULTS/ravel.sarif" --color never \
    "${arguments[@]}" > "$RAVEL_RESULTS/ravel.txt" 2> >(tee "$RAVEL_RESULTS/messages.txt" >&2) || status=$?
cat "$RAVEL_RESULTS/ravel.txt"

{
    echo "status=$status"
    echo "results=$RAVEL_RESULTS"
} >> "${GITHUB_OUTPUT:-/dev/null}"
{
    echo '### Ravel'
    echo '```'
    tail -n 40 "$RAVEL_RESULTS/ravel.txt"
    echo '```'
} >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
exit "$status"
