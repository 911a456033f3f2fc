#!/bin/sh
# The differential test: runs each corpus on the installed `erl` and on `ravel run`, and compares the outputs line by line.
# Usage: compare.sh RAVEL_BINARY [MODULE...]
#   SEED=n COUNT=n   run main(SEED, COUNT) of each corpus instead of main()
#   NEWER=1          ravel runs the corpus as newer releases of Erlang/OTP write it (assemble_newer.escript)
#   SHOW=n           how many differing lines to show per corpus (default 3)
# Prints a table and exits with 1 when a line differs that known_differences.tsv does not name; with 77 for NEWER=1 if the installed
# compiler writes these instructions itself.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: compare.sh RAVEL_BINARY [MODULE...]" >&2; exit 2; }
ravel=$1
case $ravel in /*) ;; *) ravel=$(pwd)/$ravel ;; esac
shift
show=${SHOW:-3}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
if [ $# -eq 0 ]; then
    for file in "$here"/diff_*.erl; do
        module=$(basename "$file" .erl)
        [ "$module" = diff_support ] || set -- "$@" "$module"
    done
fi
# What one release warns of is as another one wants it.
erlc() { command erlc +nowarn_deprecated_catch -W0 "$@"; }
erlc "$here/diff_support.erl" "$here/diff_exceptions.erl" || exit 2  # others use these

# A function without arguments is all that `ravel run` starts; another seed needs a module that calls main/2.
entry() {
    if [ -n "${SEED:-}" ]; then
        printf -- '-module(%s_seeded).\n-export([main/0]).\nmain() -> %s:main(%s, %s).\n' \
            "$1" "$1" "$SEED" "${COUNT:-1000}" > "$1_seeded.erl"
        erlc "$1_seeded.erl" || exit 2
        echo "$1_seeded"
    else
        echo "$1"
    fi
}

if [ -n "${NEWER:-}" ] &&
    erl -noshell -eval 'Code = (catch beam_opcodes:opcode(update_record, 5)), halt(case is_integer(Code) of true -> 0; false -> 1 end).'
then
    echo "the installed compiler writes the newer instructions itself: the corpora are compared as they are"
    exit 77
fi

release=$(erl -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().')
printf '%-20s %8s %8s %8s  %s\n' corpus cases differ known status
failed=0
for module in "$@"; do
    [ -f "$module.beam" ] || erlc "$here/$module.erl" || exit 2
    start=$(entry "$module")
    erl -noshell -kernel logger_level none -pa "$work" -s "$start" main -s erlang halt > expected.txt 2> expected.err
    if [ -n "${NEWER:-}" ]; then
        escript "$here/../erlang_machine/programs/assemble_newer.escript" "$work" "$here/$module.erl" || exit 2
    fi
    set -- "$module.beam" diff_support.beam
    [ "$start" = "$module" ] || set -- "$start.beam" "$@"
    [ "$module" != diff_stack_depth ] || set -- "$@" diff_exceptions.beam
    "$ravel" run "$@" -t "$start:main" > found.txt 2> found.err < /dev/null
    status=$?
    # Lines that are no cases (a summary of ravel's own, say) are left out.
    grep -a '^[0-9][0-9]*: ' expected.txt > expected.cases
    grep -a '^[0-9][0-9]*: ' found.txt > found.cases
    awk -F '\t' -v module="$module" -v release="$release" '$1 == module && ($3 == "all" || $3 == release) { print $2 }' "$here/known_differences.tsv" > known.txt
    awk -v show="$show" -v totals=totals.txt '
        FILENAME == "known.txt" { known[$1] = 1; next }
        { number = $0; sub(/: .*/, "", number) }
        FILENAME == "expected.cases" { expected[number] = $0; order[++cases] = number; next }
        { found[number] = $0 }
        END {
            for (i = 1; i <= cases; i++) {
                n = order[i]
                if (expected[n] == found[n]) continue
                if (n in known) { accepted++; continue }
                differ++
                if (differ > show) continue
                printf "  erl:   %s\n  ravel: %s\n", substr(expected[n], 1, 600), (n in found) ? substr(found[n], 1, 600) : "(no line)"
            }
            printf "%d %d %d\n", cases, differ, accepted > totals
        }' known.txt expected.cases found.cases > differences.txt
    read -r cases differ accepted < totals.txt
    result=ok
    if [ "$cases" -eq 0 ]; then result="erl printed no case"; fi
    if [ "$status" -ne 0 ]; then result="ravel exits with $status"; fi
    if [ "$differ" -ne 0 ]; then result="differs"; [ "$status" -eq 0 ] || result="differs, ravel exits with $status"; fi
    [ "$result" = ok ] || failed=1
    printf '%-20s %8d %8d %8d  %s\n' "$module" "$cases" "$differ" "$accepted" "$result"
    cat differences.txt
    if [ "$status" -ne 0 ]; then head -n 3 found.err | cut -c1-600; fi
done
exit "$failed"
