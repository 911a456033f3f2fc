#!/bin/sh
# Checks every `%% expect:` line of the golden programs, and that reduction finds what depth-first search is expected to
# find. Usage: run.sh [RAVEL_BINARY] [FILE.erl...]
# Files for newer releases of Erlang/OTP than the installed one are left out; exits with 77 if there are no
# others.
set -u
here=$(cd "$(dirname "$0")" && pwd)
ravel=${1:-$here/../../build/ravel}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- "$here"/*.erl
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

number() {  # the first number behind "KEY" in a JSON file
    tr -d ' \n' < "$1" | grep -o "\"$2\":[0-9]*" | head -n 1 | cut -d: -f2
}

lines=0
wrong=0
left_out=0
for file in "$@"; do
    since=$(sed -n 's/^%% since: *//p' "$file")
    if [ -n "$since" ] && [ "${release:=$("$here/release.sh")}" -lt "$since" ]; then
        echo "$(basename "$file"): needs Erlang/OTP $since"
        left_out=$((left_out + 1))
        continue
    fi
    options=$(sed -n 's/^%% options: *//p' "$file")
    # What no other policy of time is said for was written, and counted, for timeouts that fire at any time.
    case " $options " in
        *" --time "*) ;;
        *) options="--time any $options" ;;
    esac
    # Unless the file is about them, what is a bug goes by the rules with which its numbers were counted.
    grep -q '^%% rules: default' "$file" || options="--leftovers bug --crashes all --long bug --events 10000 $options"
    sed -n 's/^%% expect: *//p' "$file" > "$work/expectations"
    while read -r test strategy verdict rest; do
        kind=
        schedules=
        for word in $rest; do
            case $word in
                schedules=*) schedules=${word#schedules=} ;;
                *) kind=$word ;;
            esac
        done
        [ "$strategy" = preemption ] && bound="--preemptions 2" || bound=
        [ "$strategy" = dfs ] && strategies="dfs dpor" || strategies=$strategy
        # Not what is about executions: that they are long, or that timeouts fire early in them.
        case "$strategy $verdict $kind $options" in
            *" --early "* | *" incomplete "* | *" event_bound "* | *" livelock "* | *" no_progress "*) ;;
            dfs*) strategies="$strategies states shortest" ;;
        esac
        given=$strategy
        for strategy in $strategies; do
        [ "$strategy" = "$given" ] || schedules=
        rm -rf "$work/out" "$work/result.json"
        # shellcheck disable=SC2086  # the words of these variables are separate arguments
        "$ravel" check "$file" -t "$test" --strategy "$strategy" $bound $options ${schedules:+-k} \
            --out "$work/out" --json "$work/result.json" > "$work/text" 2>&1 < /dev/null
        status=$?
        wanted=0
        [ "$verdict" = bug ] && wanted=1
        [ "$verdict" = incomplete ] && wanted=3
        [ "$verdict" = unsupported ] && wanted=4
        problem=
        [ "$status" -eq "$wanted" ] || problem="exit status $status, not $wanted"
        if [ -z "$problem" ] && [ -n "$kind" ] && ! grep -q "\"$kind\"" "$work/result.json"; then
            problem="no $kind reported"
        fi
        if [ -z "$problem" ] && [ -n "$schedules" ]; then
            found=$(number "$work/result.json" executions)
            [ "$found" = "$schedules" ] || problem="${found:-?} executions, not $schedules"
            in_vain=$(number "$work/result.json" redundant)$(number "$work/result.json" abandoned)
            [ "$strategy" != dpor ] || [ "$in_vain" = 00 ] || problem="executions were repeated or given up"
        fi
        lines=$((lines + 1))
        if [ -n "$problem" ]; then
            wrong=$((wrong + 1))
            echo "$(basename "$file"): $test $strategy: $problem"
        fi
        done
    done < "$work/expectations"
done
echo "$lines expectations, $wrong wrong"
[ "$left_out" -lt $# ] || exit 77
[ "$wrong" -eq 0 ]
