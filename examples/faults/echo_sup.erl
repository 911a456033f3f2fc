%% A supervisor with one worker, which echoes what it is asked, and a client that hears from the supervisor
%% who the worker is. Wherever the worker is killed, the supervisor starts another one, and a client that
%% asks again gets its answer.
%%
%%   ravel check echo_sup.erl -t echo_sup:hasty_test --kill 1=echo                        a bug: needs 1 kill
%%   ravel check echo_sup.erl -t echo_sup:patient_test --kill 1=echo --strategy states    no bug
%%   ravel check echo_sup.erl -t echo_sup:for_ever --kill 1=echo --strategy states        no bug, and it ends
%%   ravel check echo_sup.erl -t echo_sup:patient_test --kill 2=echo --strategy states    a bug: needs 2 kills
%%
%% Two kills are one more than the supervisor forgives: it gives up, and nobody is left to answer. A client
%% that asks again and again can do so without end while the supervisor is slow, so these are searches by
%% states.
-module(echo_sup).
-behaviour(supervisor).
-export([for_ever/0]).
-export([init/1, start_worker/0]).
-include_lib("eunit/include/eunit.hrl").

patient_test() ->
    Supervisor = start(),
    hello = ask(hello),
    stop(Supervisor).

%% Takes it for granted that the worker lives long enough to answer.
hasty_test() ->
    Supervisor = start(),
    echo ! {hello, self()},
    receive {echo, hello} -> ok end,
    stop(Supervisor).

for_ever() ->
    start(),
    ask_for_ever().

ask_for_ever() ->
    hello = ask(hello),
    ask_for_ever().

%% A worker that is killed while it starts is not restarted: the start fails, and is tried again when the
%% supervisor is gone.
start() ->
    process_flag(trap_exit, true),
    case supervisor:start_link(?MODULE, []) of
        {ok, Supervisor} -> Supervisor;
        {error, {shutdown, {failed_to_start_child, echo, killed}}} ->
            Ref = monitor(process, echo_sup),
            receive {'DOWN', Ref, process, _, _} -> start() end
    end.

stop(Supervisor) ->
    exit(Supervisor, shutdown),
    receive {'EXIT', Supervisor, shutdown} -> ok end.

%% Asks until there is a worker that lives long enough to answer. Which worker that is, it hears from the
%% supervisor, which has started the next one when it answers.
ask(Question) ->
    [{echo, Worker, worker, _}] = supervisor:which_children(echo_sup),
    Ref = monitor(process, Worker),
    Worker ! {Question, self()},
    receive
        {echo, Answer} -> demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, Worker, _} -> ask(Question)
    end.

init([]) ->
    register(echo_sup, self()),
    {ok, {#{intensity => 1, period => 60}, [#{id => echo, start => {?MODULE, start_worker, []}}]}}.

start_worker() -> proc_lib:start_link(erlang, apply, [fun worker/1, [self()]]).

worker(Supervisor) ->
    register(echo, self()),
    proc_lib:init_ack(Supervisor, {ok, self()}),
    answer().

answer() ->
    receive {Question, Client} -> Client ! {echo, Question} end,
    answer().
