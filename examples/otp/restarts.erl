%% Supervisors restart what crashes, in every interleaving: with each strategy, which children have been started how often
%% once the supervisor is at rest again. The crash is meant: --normal boom.
-module(restarts).
-behaviour(supervisor).

-export([one_for_one_test/0, one_for_all_test/0, rest_for_one_test/0, simple_one_for_one_test/0, too_many_test/0]).
-export([init/1, start_child/2, child/2]).

one_for_one_test() -> expect(one_for_one, [{first, 1}, {second, 2}, {third, 1}]).
one_for_all_test() -> expect(one_for_all, [{first, 2}, {second, 2}, {third, 2}]).
rest_for_one_test() -> expect(rest_for_one, [{first, 1}, {second, 2}, {third, 2}]).

expect(Strategy, Expected) ->
    process_flag(trap_exit, true),
    {ok, Supervisor} = supervisor:start_link(?MODULE, {Strategy, 1, self()}),
    second ! crash,
    Starts = starts(lists:sum([Count || {_, Count} <- Expected])),
    Expected = [{Name, length([Started || Started <- Starts, Started =:= Name])} || {Name, _} <- Expected],
    [_, _, _] = [Pid || {_, Pid, worker, _} <- supervisor:which_children(Supervisor), is_pid(Pid)],
    stop(Supervisor).

%% Children that are added while it runs. A temporary one that crashes is not restarted.
simple_one_for_one_test() ->
    process_flag(trap_exit, true),
    {ok, Supervisor} = supervisor:start_link(?MODULE, {simple_one_for_one, 1, self()}),
    {ok, _} = supervisor:start_child(Supervisor, [first]),
    {ok, _} = supervisor:start_child(Supervisor, [second]),
    [first, second] = starts(2),
    [{specs, 1}, {active, 2}, {supervisors, 0}, {workers, 2}] = supervisor:count_children(Supervisor),
    first ! crash,
    second ! crash,
    stop(Supervisor).

%% One crash more than is allowed ends the supervisor, and with it the other children.
too_many_test() ->
    process_flag(trap_exit, true),
    {ok, Supervisor} = supervisor:start_link(?MODULE, {one_for_one, 0, self()}),
    _ = starts(3),
    second ! crash,
    receive {'EXIT', Supervisor, shutdown} -> ok end,
    undefined = whereis(first).

starts(Count) -> [receive {started, Name} -> Name end || _ <- lists:seq(1, Count)].

stop(Supervisor) ->
    exit(Supervisor, shutdown),
    receive {'EXIT', Supervisor, shutdown} -> ok end.

init({simple_one_for_one, Intensity, Test}) ->
    Child = #{id => child, start => {?MODULE, start_child, [Test]}, restart => temporary, shutdown => infinity},
    {ok, {#{strategy => simple_one_for_one, intensity => Intensity}, [Child]}};
init({Strategy, Intensity, Test}) ->
    {ok, {#{strategy => Strategy, intensity => Intensity}, [spec(Name, Test) || Name <- [first, second, third]]}}.

spec(Name, Test) -> #{id => Name, start => {?MODULE, start_child, [Test, Name]}, shutdown => infinity}.

start_child(Test, Name) -> proc_lib:start_link(?MODULE, child, [Test, Name]).

child(Test, Name) ->
    register(Name, self()),
    Test ! {started, Name},
    proc_lib:init_ack({ok, self()}),
    receive crash -> exit(boom) end.
