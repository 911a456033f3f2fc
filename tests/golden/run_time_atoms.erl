%% Atoms that the program makes while it runs exist only in the executions that made them.
-module(run_time_atoms).
-export([never_both/0, safe_binary/0, made_before/0, asked_too_early/0]).

%% Whoever comes first decides: the atom is made, or asked for. No execution does both.
%% expect: run_time_atoms:never_both dfs pass
%% expect: run_time_atoms:never_both random pass
never_both() -> first_decides("never_" ++ "both_", fun erlang:list_to_existing_atom/1).

%% expect: run_time_atoms:safe_binary dfs pass
%% expect: run_time_atoms:safe_binary random pass
safe_binary() ->
    first_decides("safe_" ++ "binary_", fun(Text) ->
        binary_to_term(<<131, 119, (length(Text)), (list_to_binary(Text))/binary>>, [safe])
    end).

first_decides(Text, Ask) ->
    Self = self(),
    [spawn(fun() -> Self ! Do end) || Do <- [make, ask]],
    receive
        make -> list_to_atom(Text);
        ask ->
            try Ask(Text) of
                _ -> exit(nobody_made_it)
            catch
                error:badarg -> ok
            end
    end.

%% It was made before the two began, so both see it.
%% expect: run_time_atoms:made_before dfs pass
made_before() ->
    Made = binary_to_atom(<<"made_", "before_">>),
    Ask = fun() -> whereis(nobody), Made = list_to_existing_atom("made_" ++ "before_") end,
    spawn(Ask),
    spawn(Ask),
    ok.

%% Whether it exists depends on who was first.
%% expect: run_time_atoms:asked_too_early dfs bug abnormal_exit
asked_too_early() ->
    Self = self(),
    [spawn(fun() -> Self ! {Do, "asked_too_early_"} end) || Do <- [make, ask]],
    receive
        {make, Text} -> list_to_atom(Text);
        {ask, Text} -> list_to_existing_atom(Text)
    end.
