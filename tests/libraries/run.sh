#!/bin/sh
# Checks tests of ours against libraries that nobody here wrote, as they are installed: each *_checks.erl names its library in
# a line `%% library: NAME`, and what must come out as the golden programs do. A library that is not found is skipped.
# Usage: run.sh RAVEL_BINARY [FOLDER...]
#   FOLDER   holds libraries as NAME-VERSION/ebin or NAME/ebin; default: that of the installed Erlang/OTP, and ERL_LIBS
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: run.sh RAVEL_BINARY [FOLDER...]" >&2; exit 2; }
ravel=$1
shift
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046  # folders are separate arguments
    set -- /usr/lib/erlang/lib $(echo "${ERL_LIBS:-}" | tr ':' ' ')
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# All libraries found are at hand, since some use others.
folders=
for folder in "$@"; do
    for ebin in "$folder"/*/ebin; do
        case $ebin in
            /usr/lib/erlang/lib/*) ;;  # found without being named
            *) [ -d "$ebin" ] && folders="$folders --pa $ebin" ;;
        esac
    done
done

is_installed() {
    for folder in "$@"; do
        for ebin in "$folder/$library"/ebin "$folder/$library"-*/ebin; do
            [ -d "$ebin" ] && return 0
        done
    done
    return 1
}

checked=0
skipped=
failed=0
for file in "$here"/*_checks.erl; do
    library=$(sed -n 's/^%% library: *//p' "$file")
    if ! is_installed "$@"; then
        skipped="$skipped $library"
        continue
    fi
    copy=$work/$(basename "$file")
    sed "s|^%% options:|%% options: $folders|" "$file" > "$copy"
    grep -q '^%% options:' "$copy" || echo "%% options: $folders" >> "$copy"
    echo "$library: $("$here"/../golden/run.sh "$ravel" "$copy")" || failed=1
    checked=$((checked + 1))
done
[ -z "$skipped" ] || echo "not installed, so not checked:$skipped"
[ "$checked" -gt 0 ] || { echo "none of the libraries is installed: this test is skipped"; exit 77; }
exit "$failed"
