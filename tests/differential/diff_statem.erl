%% gen_statem: timeouts of all kinds, postponed and inserted events, state_enter, replies, stops and code that breaks the
%% contract, in both callback modes. What happened is a list in the data, which the test reads at the end.
-module(diff_statem).
-behaviour(gen_statem).
-export([main/0, main/2]).
-export([init/1, callback_mode/0, idle/3, busy/3, done/3, handle_event/4, terminate/3]).
-import(diff_support, [range/2, pick/1, list/2, term/1, evaluate/1]).

main() -> main(1, 250).

main(Seed, Count) ->
    logger:set_primary_config(level, none),
    process_flag(trap_exit, true),
    diff_support:run(Seed, Count, fun test/0).

test() ->
    Mode = pick([[state_functions], [state_functions, state_enter], [handle_event_function], [handle_event_function, state_enter]]),
    Commands = list(5, fun command/0),
    Way = pick([script, script, script, script, script, init, stop, replies, system]),
    A = term(1),
    {{Way, Mode, Commands}, fun() -> {evaluate(fun() -> do(Way, Mode, Commands, A) end), rest()} end}.

rest() -> receive last -> rest(); {'EXIT', _, Reason} -> [{exit, Reason} | rest()]; Any -> [Any | rest()] after 0 -> [] end.

command() ->
    {pick([cast, call, info]), pick([idle, busy, same]), list(3, fun action/0)}.

%% A time that passes is in the last command only: nothing else happens then, on any machine.
action() ->
    N = range(1, 3),
    pick([postpone, {postpone, true}, {postpone, false}, {next_event, internal, {inserted, N}}, {next_event, cast, {inserted, N}},
          {state_timeout, 0, now}, {state_timeout, infinity, never}, {state_timeout, cancel}, {state_timeout, 60000, later},
          {state_timeout, update, updated}, {timeout, 0, event_now}, {timeout, 60000, late_event}, 0, infinity,
          {{timeout, name}, 60000, {named, N}}, {{timeout, name}, cancel}, {{timeout, name}, update, {updated, N}},
          {{timeout, name}, 0, {named, N}}, {{timeout, other}, 0, at_once}, {{timeout, name}, 0, {absolute, N}, [{abs, false}]},
          {timeout, 0, {absolute, N}, []}, hibernate, {change_callback_module, ?MODULE}]).

last_action() ->
    pick([{state_timeout, 2, last}, {timeout, 2, last}, {{timeout, name}, 2, last}, 2, {state_timeout, 2, last, [{abs, false}]}]).

do(script, Mode, Commands, _) ->
    {ok, Pid} = gen_statem:start(?MODULE, {Mode, self()}, []),
    Ref = monitor(process, Pid),
    Results = [send(Kind, Pid, {go, Next, Actions}) || {Kind, Next, Actions} <- Commands],
    gen_statem:cast(Pid, {finally, self(), pick([idle, busy, same]), [last_action()]}),
    receive last -> ok after 1000 -> none end,
    History = evaluate(fun() -> gen_statem:call(Pid, history, 1000) end),
    gen_statem:cast(Pid, stop),
    {Results, History, receive {'DOWN', Ref, _, _, Reason} -> Reason end};
do(init, Mode, _, A) ->
    Answer = pick([{ok, idle, []}, {ok, idle, [], [{next_event, internal, {inserted, 1}}]}, {ok, idle, [], {state_timeout, 1, s}},
                   ignore, {stop, A}, {error, A}, {exit, A}, {bad, A}, {ok, idle, [], [bad_action]}, {ok, idle, [], {postpone, A}}]),
    Before = processes(),
    Started = evaluate(fun() -> gen_statem:start_link(?MODULE, {Mode, answer, Answer}, []) end),
    case Started of {ok, _} -> ok; _ -> wait_for_end(Before, 1000) end,
    case Started of
        {ok, Pid} -> receive after 5 -> ok end, {evaluate(fun() -> gen_statem:call(Pid, history, 1000) end), gen_statem:stop(Pid)};
        _ -> Started
    end;
do(stop, Mode, _, A) ->
    {ok, Pid} = gen_statem:start_link(?MODULE, {Mode, self()}, []),
    How = pick([stop, {stop, A}, {stop, A, [changed]}, {stop_and_reply, normal, reply}, {stop_and_reply, A, reply, [changed]}, {bad, A},
                {keep_state, [d], bad_action}, {next_state, 7, []}, repeat_state, {repeat_state, [r]}, keep_state_and_data]),
    Result = evaluate(fun() -> gen_statem:call(Pid, {return, How}, 50) end),
    Ref = monitor(process, Pid),
    Stopped = evaluate(fun() -> gen_statem:stop(Pid, {because, A}, 1000) end),
    receive {'DOWN', Ref, _, _, _} -> {Result, Stopped} end;
do(replies, Mode, _, A) ->
    {ok, Pid} = gen_statem:start(?MODULE, {Mode, self()}, []),
    Requests = [gen_statem:send_request(Pid, {later, A}), gen_statem:send_request(Pid, history)],
    Second = gen_statem:receive_response(lists:last(Requests), 1000),
    None = gen_statem:wait_response(hd(Requests), 0),
    gen_statem:cast(Pid, answer),
    First = gen_statem:wait_response(hd(Requests), 1000),
    {Second, None, First, gen_statem:call(Pid, history, {clean_timeout, 1000}), gen_statem:stop(Pid)};
do(system, Mode, Commands, A) ->
    {ok, Pid} = gen_statem:start(?MODULE, {Mode, self()}, []),
    sys:suspend(Pid),
    [gen_statem:cast(Pid, {go, Next, [X || X <- Actions, X =:= postpone]}) || {_, Next, Actions} <- Commands],
    State = sys:get_state(Pid),
    Replaced = evaluate(fun() -> sys:replace_state(Pid, fun({Name, Data}) -> {Name, [{replaced, A} | Data]} end) end),
    sys:resume(Pid),
    {status, _, {module, Module}, _} = sys:get_status(Pid),
    {State, Replaced, Module, gen_statem:call(Pid, history), gen_statem:stop(Pid)}.

%% Until whoever was not there before is gone.
wait_for_end(_, 0) -> nothing;
wait_for_end(Before, Rounds) ->
    case processes() -- Before of
        [] -> receive after 2 -> ok end;
        _ -> receive after 1 -> wait_for_end(Before, Rounds - 1) end
    end.

send(cast, Pid, Message) -> gen_statem:cast(Pid, Message);
send(info, Pid, Message) -> Pid ! Message, sent;
send(call, Pid, Message) -> evaluate(fun() -> gen_statem:call(Pid, Message, 1000) end).

callback_mode() -> get(mode).

init({Mode, answer, Answer}) ->
    put(mode, Mode),
    case Answer of
        {error, A} -> error(A);
        {exit, A} -> exit(A);
        _ -> Answer
    end;
init({Mode, _}) -> put(mode, Mode), {ok, idle, []}.

idle(Type, Content, Data) -> event(Type, Content, idle, Data).
busy(Type, Content, Data) -> event(Type, Content, busy, Data).
done(Type, Content, Data) -> event(Type, Content, done, Data).
handle_event(Type, Content, State, Data) -> event(Type, Content, State, Data).

event(Type, last, State, Data) ->
    tell(Data),
    {keep_state, [{kind(Type), last, State} | Data]};
event(timeout, 2, State, Data) ->
    tell(Data),
    {keep_state, [{last_event, State} | Data]};
event(cast, {finally, Pid, Next, Actions}, State, Data) ->
    event(cast, {go, Next, Actions}, State, [{tell, Pid} | Data]);
event(enter, Old, State, Data) -> {keep_state, [{enter, Old, State} | Data]};
event({call, From}, history, _, Data) -> {keep_state_and_data, {reply, From, lists:reverse(Data)}};
event({call, From}, {later, A}, _, Data) -> {keep_state, [{later, From, A} | Data]};
event(cast, answer, _, Data) ->
    {keep_state, [answered], [{reply, From, {answer, A}} || {later, From, A} <- Data]};
event(_, stop, _, _) -> stop;
event({call, From}, {return, {stop_and_reply, Reason, reply}}, _, _) -> {stop_and_reply, Reason, {reply, From, last}};
event({call, From}, {return, {stop_and_reply, Reason, reply, Data}}, _, _) -> {stop_and_reply, Reason, [{reply, From, last}], Data};
event({call, _}, {return, How}, _, _) -> How;
event(Type, {go, Next, Actions}, State, Data) ->
    Reply = case Type of {call, From} -> [{reply, From, {State, Next}}]; _ -> [] end,
    Postponed = [A || A <- Actions, lists:member(A, [postpone, {postpone, true}])] =/= [],
    Again = Reply =/= [] orelse length([E || {went, _, _, _} = E <- Data]) > 12,
    Kept = if Again; Postponed andalso (Next =:= same orelse Next =:= State) -> [A || A <- Actions, A =/= postpone, A =/= {postpone, true}];
              true -> Actions
           end,
    New = [{went, kind(Type), State, Next} | Data],
    case Next of
        same -> {keep_state, New, Reply ++ Kept};
        _ -> {next_state, Next, New, Reply ++ Kept}
    end;
event(Type, Content, State, Data) -> {keep_state, [{kind(Type), Content, State} | Data]}.

tell(Data) -> [Pid ! last || {tell, Pid} <- Data].

kind({call, _}) -> call;
kind(Type) -> Type.

terminate(_, _, _) -> ok.
