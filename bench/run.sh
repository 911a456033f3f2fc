#!/bin/sh
# Benchmarks of the Erlang front end, side by side with the installed `erl` in one run.
#
# Sequential: each erlang/bench_*.erl exports run(Count). Both machines run a large and a small count, several times and
# in turns; the difference of the least wall times (noise only adds) is the work, so that the start of a machine cancels. The
# ratio is ravel / erl, per iteration.
# Search: five_processes.erl explored depth first (all schedules), then ten million executions at random and depth first, with
# peak memory. Behaviours: behaviours.erl, the first schedules depth first and then every trace.
#
# With a second build of ravel each line is measured with both, in turns; the last ratio is the first build's time to the second's.
#
# Usage: run.sh [RAVEL_BINARY] [sequential|search|behaviours|all] [OTHER_RAVEL_BINARY]
#   REPETITIONS=n   default 5;  SCALE=n   percent of the usual counts, default 100;  EXECUTIONS=n   default 10000000
#   ONLY=pattern    only the sequential benchmarks of which the name matches it (grep -E)
#   CLOCK=cpu       user and system time instead of wall time, for a machine that does other things too (needs GNU time)
#   ERL_FLAGS="..." flags for erl, for example an emulator without the compiler to native code
set -u
here=$(cd "$(dirname "$0")" && pwd)
ravel=${1:-$here/../build/ravel}
what=${2:-all}
other=${3:-}
case $ravel in /*) ;; *) ravel=$(pwd)/$ravel ;; esac
case $other in /* | '') ;; *) other=$(pwd)/$other ;; esac
for binary in "$ravel" ${other:+"$other"}; do
    [ -x "$binary" ] || { echo "$binary: no program. Build it, or name another." >&2; exit 2; }
done
repetitions=${REPETITIONS:-5}
scale=${SCALE:-100}
executions=${EXECUTIONS:-10000000}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
erlc -o "$work" "$here"/erlang/*.erl || exit 2

now() { date +%s%N; }

# Wall time in microseconds of a command, which must succeed; with CLOCK=cpu its user and system time (in steps of 10 ms).
time_of() {
    from=$(now)
    if [ "${CLOCK:-wall}" = cpu ]; then
        /usr/bin/time -f '%U %S' -o cpu.txt "$@" > out.txt 2>&1 < /dev/null
    else
        "$@" > out.txt 2>&1 < /dev/null
    fi || { echo "failed: $*" >&2; head -n 3 out.txt >&2; echo failed; return; }
    to=$(now)
    if [ "${CLOCK:-wall}" = cpu ]; then
        awk 'END { printf "%d\n", ($1 + $2) * 1000000 }' cpu.txt
    else
        echo $(((to - from) / 1000))
    fi
}

least() { sort -n | head -n 1; }

# `ravel run` starts a function without arguments: one module per count.
starter() {  # module count name
    printf -- '-module(%s).\n-export([main/0]).\nmain() -> %s:run(%s).\n' "$3" "$1" "$2" > "$3.erl"
    erlc "$3.erl" || exit 2
}

sequential() {
    printf '%-18s %12s %12s %8s' benchmark 'erl us' 'ravel us' ratio
    [ -z "$other" ] || printf ' %12s %8s' 'other us' 'to other'
    echo
    # The counts make about half a second of work on erl with its compiler to native code.
    for entry in nrev:500000 fib:6000 tak:13000 sort:1600 small_maps:300000 large_maps:1600 binaries:7000 \
                 format:60000 gb_trees:4000 floats:25000 bignums:9000 messages:9000 ets:2500 \
                 calls:2500 supervisor:3500 logger:2500; do
        echo "${entry%:*}" | grep -qE "${ONLY:-.}" || continue
        module=bench_${entry%:*}
        large=$((${entry#*:} * scale / 100))
        [ "$large" -ge 20 ] || large=20
        small=$((large / 10))
        starter "$module" "$large" starter_large
        starter "$module" "$small" starter_small
        rm -f erl_large erl_small ravel_large ravel_small other_large other_small
        i=0
        while [ "$i" -lt "$repetitions" ]; do
            for size in large small; do
                # shellcheck disable=SC2086  # ERL_FLAGS is a list of words
                time_of erl ${ERL_FLAGS:-} -noshell -s "starter_$size" main -s erlang halt >> "erl_$size"
                time_of "$ravel" run "starter_$size.beam" "$module.beam" -t "starter_$size:main" >> "ravel_$size"
                [ -z "$other" ] ||
                    time_of "$other" run "starter_$size.beam" "$module.beam" -t "starter_$size:main" >> "other_$size"
            done
            i=$((i + 1))
        done
        if grep -q failed erl_large erl_small ravel_large ravel_small; then
            printf '%-18s %12s\n' "$module" failed
            continue
        fi
        line=$(awk -v name="$module" -v n="$((large - small))" -v a="$(least < erl_large)" -v b="$(least < erl_small)" \
            -v c="$(least < ravel_large)" -v d="$(least < ravel_small)" 'BEGIN {
                e = (a - b) / n; r = (c - d) / n
                printf "%-18s %12.2f %12.2f %8.2f\n", name, e, r, (e > 0) ? r / e : 0 }')
        if [ -z "$other" ]; then
            echo "$line"
        elif grep -q failed other_large other_small; then
            echo "$line       failed"
        else
            awk -v line="$line" -v n="$((large - small))" -v c="$(least < ravel_large)" -v d="$(least < ravel_small)" \
                -v a="$(least < other_large)" -v b="$(least < other_small)" 'BEGIN {
                    printf "%s %12.2f %8.2f\n", line, (a - b) / n, (a > b) ? (c - d) / (a - b) : 0 }'
        fi
    done
}

number() {  # the first number behind "KEY" in a JSON file
    tr -d ' \n' < "$1" | grep -o "\"$2\":[0-9]*" | head -n 1 | cut -d: -f2
}

# One search with one build: "executions events microseconds peak-in-KB" of the fastest of some runs, or "failed".
measure_search() {  # repetitions, binary, then the arguments of ravel check
    runs=$1
    binary=$2
    shift 2
    rm -f runs.txt
    while [ "$runs" -gt 0 ]; do
        rm -rf out result.json times.txt
        from=$(now)
        if [ -x /usr/bin/time ]; then
            /usr/bin/time -f '%U %S %M' -o times.txt "$binary" check "$@" --time any --out out --json result.json > out.txt 2>&1 < /dev/null
        else
            "$binary" check "$@" --time any --out out --json result.json > out.txt 2>&1 < /dev/null
        fi
        status=$?
        to=$(now)
        # 0: complete, 3: ended by its budget; /usr/bin/time writes its own line before the times when the status is not 0.
        if { [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; } || [ ! -f result.json ]; then
            echo "failed: exit status $status"
            return
        fi
        times=$([ -f times.txt ] && tail -n 1 times.txt || echo '0 0 0')
        echo "$(((to - from) / 1000)) $times $(number result.json executions) $(number result.json events)" >> runs.txt
        runs=$((runs - 1))
    done
    awk -v clock="${CLOCK:-wall}" '{ us = clock == "cpu" ? ($2 + $3) * 1000000 : $1; print us, $5, $6, us, $4 }' runs.txt |
        sort -n | head -n 1 | cut -d' ' -f2-
}

# One search: executions and events per second, peak memory; and how long it takes beside the other build.
search_line() {  # repetitions, label, then the arguments of ravel check
    repeat=$1
    label=$2
    shift 2
    found=$(measure_search "$repeat" "$ravel" "$@")
    case $found in
        failed*) printf '%-32s %s\n' "$label" "$found"; return ;;
    esac
    found_other=
    if [ -n "$other" ]; then found_other=$(measure_search "$repeat" "$other" "$@"); fi
    echo "$found" | awk -v label="$label" -v other="$found_other" '{
        s = $3 / 1000000
        printf "%-32s %12d %14d %9.2f %12.0f %12.0f %10.1f", label, $1, $2, s, $1 / s, $2 / s, $4 / 1024
        split(other, o, " ")
        if (other ~ /^failed/) printf "   %s", other
        else if (other != "") printf " %12.2f %8.2f", o[3] / 1000000, $3 / o[3]
        print "" }'
}

expect_executions() {  # of the last search
    [ "${found%% *}" = "$1" ] || echo "  $1 executions are expected"
}

search_head() {
    printf '%-32s %12s %14s %9s %12s %12s %10s' search executions events seconds executions/s events/s 'peak MB'
    [ -z "$other" ] || printf ' %12s %8s' 'other s' 'to other'
    echo
}

search() {
    search_head
    search_line 1 'server, every schedule' five_processes.beam -t five_processes:server --strategy dfs
    expect_executions 2091680
    search_line 1 'star, every schedule' five_processes.beam -t five_processes:star --strategy dfs
    expect_executions 4619160
    search_line 1 'a table of three rows' large_table.beam -t large_table:small --strategy dfs
    search_line 1 'a table of ten thousand rows' large_table.beam -t large_table:large --strategy dfs
    search_line 1 "dfs, $executions executions" five_processes.beam -t five_processes:endless --strategy dfs --budget "${executions}x"
    search_line 1 "random, $executions executions" five_processes.beam -t five_processes:endless --strategy random --seed 1 --budget "${executions}x"
}

behaviours() {
    search_head
    for name in calls supervisor logger; do
        search_line "$repetitions" "$name, schedules depth first" behaviours.beam -t "behaviours:$name" --strategy dfs \
            --budget "$((executions / 50))x"
        search_line "$repetitions" "$name, random schedules" behaviours.beam -t "behaviours:$name" --strategy random \
            --budget "$((executions / 1000))x"
        search_line "$repetitions" "$name, every trace" behaviours.beam -t "behaviours:$name" --strategy dpor
    done
}

case $what in
    sequential) sequential ;;
    search) search ;;
    behaviours) behaviours ;;
    all) sequential; echo; search; echo; behaviours ;;
    *) echo "usage: run.sh [RAVEL_BINARY] [sequential|search|behaviours|all] [OTHER_RAVEL_BINARY]" >&2; exit 2 ;;
esac
