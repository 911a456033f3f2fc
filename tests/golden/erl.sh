#!/bin/sh
# Compiles every golden program and runs each function that must pass on the installed `erl`, many times. A
# sanity check of the expectations themselves: `erl` shows few schedules, but no failure may be among them.
set -u
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
release=$(./release.sh)
erlc -Werror -o "$work" ../../src/erlang/lib/ravel.erl ../../src/erlang/lib/ravel_monitor.erl || exit 1  # as a project that tests with erl has them
for file in *.erl; do
    since=$(sed -n 's/^%% since: *//p' "$file")
    [ -z "$since" ] || [ "$release" -ge "$since" ] || continue
    erlc -Werror -pa "$work" -o "$work" "$file" || exit 1
    sed -n 's/^%% expect: *\([a-z_0-9]*\):\([a-z_0-9]*\) [a-z]* pass.*/{\1,\2}./p' "$file"
done | sort -u > "$work/pass"
cd "$work" && erl -noshell -kernel logger_level none -eval '
    {ok, Tests} = file:consult("pass"),
    Run = fun(M, F) ->
                  {P, R} = spawn_monitor(M, F, []),
                  receive {_, R, _, _, Reason} -> Reason
                  after 5000 -> exit(P, kill), hangs
                  end
          end,
    Bad = [{T, Reason} || {M, F} = T <- Tests, _ <- lists:seq(1, 20),
                          Reason <- [Run(M, F)], Reason =/= normal],
    io:format("~p functions, ~p bad runs ~p~n", [length(Tests), length(Bad), lists:sublist(Bad, 5)]),
    halt(min(1, length(Bad))).'
