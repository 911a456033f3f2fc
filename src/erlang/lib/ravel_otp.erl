%% Functions of OTP that depend on its code server and on how the emulator was started, as they are here. The
%% machine's loader puts these in the place of the functions of the same names and arities (loader.cc).
-module(ravel_otp).

-export([ensure_modules_loaded/1]). % code
-export([configurable/0, keywords/0, keywords/1]). % erl_features
-export([memory/0, memory/1]). % erlang
-export([default_seed/0]). % rand
-export([default_hibernate_after/1]). % supervisor
-export([assigns_in_comprehensions/0, is_process_alive/1, random_seed/0, reserves_maybe/0, system_count/1, unique_integer/1]). % built-ins

%% erlang:is_process_alive/1 of another process, which alone is an operation.
-spec is_process_alive(pid()) -> boolean().
is_process_alive(_Process) -> erlang:nif_error(undefined).

%% erlang:system_info/1 of how many processes or tables there are, which alone is an operation.
-spec system_count(process_count | ets_count) -> non_neg_integer().
system_count(_Item) -> erlang:nif_error(undefined).

%% The monotonic ones of erlang:unique_integer/1, which alone are an operation.
-spec unique_integer([monotonic | positive]) -> pos_integer().
unique_integer(_Modifiers) -> erlang:nif_error(undefined).

%% The seed that the user gives for random numbers.
-spec random_seed() -> integer().
random_seed() -> erlang:nif_error(undefined).

%% Modules are loaded by the machine when they are first called.
ensure_modules_loaded(Modules) ->
    case [{Module, Reason} || Module <- Modules, {error, Reason} <- [code:ensure_loaded(Module)]] of
        [] -> ok;
        Missing -> {error, Missing}
    end.

%% The features of the language as the installed release has them: nothing was asked for when the emulator was started, so those are
%% enabled that are approved. (Its own erl_features keeps them in persistent terms, so that asking would be an operation.)
configurable() ->
    case assigns_in_comprehensions() of
        true -> [compr_assign, maybe_expr];
        false -> [maybe_expr]
    end.

keywords(maybe_expr) -> ['maybe', 'else'];
keywords(compr_assign) -> [].

keywords() ->
    case reserves_maybe() of
        true -> keywords(maybe_expr);
        false -> []
    end.

-spec assigns_in_comprehensions() -> boolean().
assigns_in_comprehensions() -> erlang:nif_error(undefined).
-spec reserves_maybe() -> boolean().
reserves_maybe() -> erlang:nif_error(undefined).

%% What a process's random numbers start from unless it says so itself: as in OTP, but for the user's seed in the place
%% of the time.
default_seed() ->
    {erlang:phash2([{node(), self()}]), ravel_otp:random_seed(), erlang:unique_integer()}.

%% How much memory the emulator uses would be different in each run: what a system has that has just started, always.
memory() ->
    [{total, 20000000}, {processes, 5000000}, {processes_used, 5000000}, {system, 15000000}, {atom, 400000},
     {atom_used, 390000}, {binary, 100000}, {code, 8000000}, {ets, 500000}].

memory(Types) when is_list(Types) ->
    Known = memory(),
    case lists:all(fun(Type) -> lists:keymember(Type, 1, Known) end, Types) of
        true -> [lists:keyfind(Type, 1, Known) || Type <- Types];
        false -> error(badarg, [Types])
    end;
memory(Type) ->
    case lists:keyfind(Type, 1, memory()) of
        {_, Bytes} -> Bytes;
        false -> error(badarg, [Type])
    end.

%% When a supervisor that does not say so itself hibernates. In OTP it does after an idle second: a timer for each supervisor, kernel's
%% included, which goes off at any time of any test, to no other effect than that memory is saved.
default_hibernate_after(_Strategy) -> infinity.
