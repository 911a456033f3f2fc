#!/bin/sh
# Runs every line of expected.tsv with `ravel check` and says where the result differs.
# Usage: check.sh [RAVEL_BINARY] [STEP]; exits with 1 when a line differs.
# A line without a preemption bound is a depth-first search of all schedules; a search that is
# expected to be long (no bound, no known small count) gets the bound of two that the thesis uses.
set -u
cd "$(dirname "$0")" || exit 2
ravel=${1:-../../build/ravel}
only=${2:-}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')
differences=0

number() {  # the first number behind "KEY" in a JSON file
    tr -d ' \n' < "$1" | grep -o "\"$2\":[0-9]*" | head -n 1 | cut -d: -f2
}

# One process cannot be interleaved with another for long: these searches are complete in seconds.
small() {
    case $1 in
        start_test|start_stop_test|ping_test|multiple_stops_test|multiple_starts_test) return 0 ;;
        *) return 1 ;;
    esac
}

grep -v '^#' expected.tsv | tail -n +2 > "$work/lines"
while IFS=$tab read -r step test define verdict kinds bad executions bound note; do
    [ -z "$only" ] || [ "$only" = "$step" ] || continue
    set -- "$step"/*.erl -t "reg_server_tests:$test" --time any -k --leftovers bug --crashes all --long bug --events 10000 --out "$work/out" --json "$work/result.json"
    [ "$define" = - ] || set -- "$@" -D "$define"
    if [ "$bound" != - ]; then set -- "$@" --strategy preemption --preemptions "$bound"
    elif small "$test"; then set -- "$@" --strategy dfs
    else set -- "$@" --strategy preemption --preemptions 2
    fi
    rm -rf "$work/out" "$work/result.json"
    "$ravel" check "$@" > "$work/text" 2>&1
    status=$?
    wanted=0
    [ "$verdict" = bug ] && wanted=1
    problem=
    [ "$status" -eq "$wanted" ] || problem="exit status $status, not $wanted"
    if [ -z "$problem" ] && [ "$kinds" != - ]; then
        for kind in $(echo "$kinds" | tr , ' '); do
            grep -q "$kind" "$work/result.json" || problem="no $kind in the report"
        done
    fi
    case $executions in
        -|'~'*|'>'*) ;;
        *) found=$(number "$work/result.json" executions)
           [ "$found" = "$executions" ] || problem="${problem:+$problem; }${found:-?} executions, not $executions" ;;
    esac
    if [ "$bad" != - ] && [ -f "$work/result.json" ]; then
        found=$(number "$work/result.json" erroneous_executions)
        [ "$found" = "$bad" ] || problem="${problem:+$problem; }$found erroneous executions, not $bad"
    fi
    if [ -n "$problem" ]; then
        differences=$((differences + 1))
        echo "$step $test $define: $problem"
    fi
done < "$work/lines"
echo "$differences differences"
[ "$differences" -eq 0 ]
