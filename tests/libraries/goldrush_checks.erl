%% library: goldrush
%% Its counters: a server whose table belongs to a manager that gives it away.
-module(goldrush_checks).
-export([counted/0, compiled/0]).
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

%% A query is compiled to a module of its own, and compiled again it is another one.
%% expect: goldrush_checks:compiled dpor pass
compiled() ->
    {ok, _} = application:ensure_all_started(goldrush),
    Self = self(),
    Query = fun(Value) -> glc:with(glc:eq(a, Value), fun(Event) -> Self ! gre:fetch(a, Event) end) end,
    {ok, checks_query} = glc:compile(checks_query, Query(1)),
    glc:handle(checks_query, gre:make([{a, 1}], [list])),
    receive 1 -> ok end,
    {ok, checks_query} = glc:compile(checks_query, Query(2)),
    glc:handle(checks_query, gre:make([{a, 1}], [list])),
    glc:handle(checks_query, gre:make([{a, 2}], [list])),
    receive 2 -> ok end,
    {message_queue_len, 0} = process_info(self(), message_queue_len),
    glc:delete(checks_query).
