%% library: goldrush
%% Its counters: a server whose table belongs to a manager that gives it away.
-module(goldrush_checks).
-export([counted/0]).
%% options: --after-infinite 1000

%% What comes before the table does is kept, and done the last first: a look-up overtakes the additions before it.
%% expect: goldrush_checks:counted dpor bug abnormal_exit
counted() ->
    {ok, Counter} = gr_counter:start_link(counter_of_checks),
    {ok, Manager} = gr_manager:start_link(manager_of_checks, counter_of_checks, [{input, 0}]),
    Self = self(),
    spawn_link(fun() -> gr_counter:update_counter(counter_of_checks, input, 1), Self ! done end),
    gr_counter:update_counter(counter_of_checks, input, 1),
    receive done -> ok end,
    2 = gr_counter:lookup_element(counter_of_checks, input),
    [unlink(Server) || Server <- [Manager, Counter]],
    [exit(Server, shutdown) || Server <- [Manager, Counter]].
