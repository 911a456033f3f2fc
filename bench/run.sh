#!/bin/sh
# Benchmarks of the Erlang front end, side by side with the installed `erl` in one run.
#
# Sequential: each erlang/bench_*.erl exports run(Count). Both machines run a large and a small count, several times and
# in turns; the difference of the least wall times (noise only adds) is the work, so that the start of a machine cancels. The
# ratio is ravel / erl, per iteration.
# Search: five_processes.erl explored depth first (all schedules), then ten million executions at random and depth first, with
# peak memory.
#
# Usage: run.sh [RAVEL_BINARY] [sequential|search|all]
#   REPETITIONS=n   default 5;  SCALE=n   percent of the usual counts, default 100;  EXECUTIONS=n   default 10000000
#   CLOCK=cpu       user and system time instead of wall time, for a machine that does other things too (needs GNU time)
#   ERL_FLAGS="..." flags for erl, for example an emulator without the compiler to native code
set -u
here=$(cd "$(dirname "$0")" && pwd)
ravel=${1:-$here/../build/ravel}
what=${2:-all}
case $ravel in /*) ;; *) ravel=$(pwd)/$ravel ;; esac
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
    printf '%-18s %12s %12s %8s\n' benchmark 'erl us' 'ravel us' ratio
    # The counts make about half a second of work on erl with its compiler to native code.
    for entry in nrev:500000 fib:6000 tak:13000 sort:1600 small_maps:300000 large_maps:1600 binaries:7000 \
                 format:60000 gb_trees:4000 floats:25000 bignums:9000 messages:9000 ets:2500; do
        module=bench_${entry%:*}
        large=$((${entry#*:} * scale / 100))
        [ "$large" -ge 20 ] || large=20
        small=$((large / 10))
        starter "$module" "$large" starter_large
        starter "$module" "$small" starter_small
        rm -f erl_large erl_small ravel_large ravel_small
        i=0
        while [ "$i" -lt "$repetitions" ]; do
            for size in large small; do
                # shellcheck disable=SC2086  # ERL_FLAGS is a list of words
                time_of erl ${ERL_FLAGS:-} -noshell -s "starter_$size" main -s erlang halt >> "erl_$size"
                time_of "$ravel" run "starter_$size.beam" "$module.beam" -t "starter_$size:main" >> "ravel_$size"
            done
            i=$((i + 1))
        done
        if grep -q failed erl_large erl_small ravel_large ravel_small; then
            printf '%-18s %12s\n' "$module" failed
            continue
        fi
        awk -v name="$module" -v n="$((large - small))" -v a="$(least < erl_large)" -v b="$(least < erl_small)" \
            -v c="$(least < ravel_large)" -v d="$(least < ravel_small)" 'BEGIN {
                e = (a - b) / n; r = (c - d) / n
                printf "%-18s %12.2f %12.2f %8.2f\n", name, e, r, (e > 0) ? r / e : 0 }'
    done
}

number() {  # the first number behind "KEY" in a JSON file
    tr -d ' \n' < "$1" | grep -o "\"$2\":[0-9]*" | head -n 1 | cut -d: -f2
}

# One search: executions, events per second, peak memory.
search_line() {  # label, then the arguments of ravel check
    label=$1
    shift
    rm -rf out result.json peak.txt
    from=$(now)
    if [ -x /usr/bin/time ]; then
        /usr/bin/time -f '%M' -o peak.txt "$ravel" check "$@" --out out --json result.json > out.txt 2>&1 < /dev/null
    else
        "$ravel" check "$@" --out out --json result.json > out.txt 2>&1 < /dev/null
    fi
    status=$?
    to=$(now)
    # 0: complete, 3: ended by its budget; /usr/bin/time writes its own line before the size when the status is not 0.
    if { [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; } || [ ! -f result.json ]; then
        printf '%-32s failed: exit status %s\n' "$label" "$status"
        return
    fi
    peak=$([ -f peak.txt ] && tail -n 1 peak.txt || echo 0)
    awk -v label="$label" -v executions="$(number result.json executions)" -v events="$(number result.json events)" \
        -v us="$(((to - from) / 1000))" -v peak="$peak" 'BEGIN {
            s = us / 1000000
            printf "%-32s %12d %14d %9.2f %12.0f %12.0f %10.1f\n", label, executions, events, s, executions / s, events / s, peak / 1024 }'
}

search() {
    printf '%-32s %12s %14s %9s %12s %12s %10s\n' search executions events seconds executions/s events/s 'peak MB'
    five="$here/erlang/five_processes.erl"
    search_line 'server, every schedule' "$five" -t five_processes:server --strategy dfs
    [ "$(number result.json executions 2> /dev/null)" = 2091680 ] || echo '  2,091,680 executions are expected'
    search_line 'star, every schedule' "$five" -t five_processes:star --strategy dfs
    [ "$(number result.json executions 2> /dev/null)" = 4619160 ] || echo '  4,619,160 executions are expected'
    search_line 'a table of three rows' "$here/erlang/large_table.erl" -t large_table:small --strategy dfs
    search_line 'a table of ten thousand rows' "$here/erlang/large_table.erl" -t large_table:large --strategy dfs
    search_line "dfs, $executions executions" "$five" -t five_processes:endless --strategy dfs --budget "${executions}x"
    search_line "random, $executions executions" "$five" -t five_processes:endless --strategy random --seed 1 --budget "${executions}x"
}

case $what in
    sequential) sequential ;;
    search) search ;;
    all) sequential; echo; search ;;
    *) echo "usage: run.sh [RAVEL_BINARY] [sequential|search|all]" >&2; exit 2 ;;
esac
