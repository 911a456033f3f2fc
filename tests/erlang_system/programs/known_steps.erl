%% Small programs, most of which go on for ever: a step is taken again and again while others are somewhere
%% else. Each is about something that a step may read or change besides the process that takes it.
-module(known_steps).
-behaviour(gen_server).
-compile([export_all, nowarn_export_all]).

%% Messages, which are taken in another order than they come in.
selective() ->
    Self = self(),
    [spawn(fun() -> asks(Self, Name) end) || Name <- [a, b, c]],
    answers(none).
asks(Server, Name) ->
    Server ! {Name, self()},
    receive {Name, ok} -> asks(Server, Name) end.
answers(Last) ->
    receive {Name, From} when Name =/= Last -> From ! {Name, ok}, answers(Name) end.

%% References: the lowest free one is given again.
references() ->
    Self = self(),
    [spawn(fun() -> holds(Self, []) end) || _ <- [1, 2]],
    keeps([]).
holds(Server, Held) when length(Held) =:= 2 -> Server ! {take, hd(Held)}, holds(Server, tl(Held));
holds(Server, Held) ->
    Ref = make_ref(),
    Server ! {ask, self(), Ref},
    receive {Ref, keep} -> holds(Server, [Ref | Held]); {Ref, drop} -> holds(Server, Held) end.
keeps(Kept) ->
    receive
        {ask, From, Ref} when length(Kept) < 2 -> From ! {Ref, keep}, keeps([Ref | Kept]);
        {ask, From, Ref} -> From ! {Ref, drop}, keeps(Kept);
        {take, Ref} -> keeps(lists:delete(Ref, Kept))
    end.

%% The same, where others decide which ones are free: who makes them does not know.
kept_references() ->
    Self = self(),
    spawn(fun() -> makes(Self) end),
    spawn(fun() -> drops(Self) end),
    keeps_two([]).
makes(Server) -> Server ! {put, self(), make_ref()}, receive go_on -> makes(Server) end.
drops(Server) -> Server ! {drop, self()}, receive go_on -> drops(Server) end.
keeps_two(Kept) ->
    receive
        {put, From, Ref} -> From ! go_on, keeps_two(lists:sublist([Ref | Kept], 2));
        {drop, From} -> From ! go_on, keeps_two([])
    end.

%% A server of OTP: monitors, aliases, casts.
server() ->
    {ok, Server} = gen_server:start_link(?MODULE, [], []),
    [spawn(fun() -> calls(Server, Step) end) || Step <- [1, 2]],
    casts(Server).
calls(Server, Step) ->
    N = gen_server:call(Server, {add, Step}, infinity),
    true = is_integer(N),
    calls(Server, Step).
casts(Server) -> gen_server:cast(Server, reset), 0 = gen_server:call(Server, zero, infinity), casts(Server).
init([]) -> {ok, {0, none}}.
handle_call({add, Step}, From, {N, none}) -> {noreply, {(N + Step) rem 3, From}};
handle_call({add, Step}, _, {N, Waiting}) ->
    gen_server:reply(Waiting, N),
    {reply, N, {(N + Step) rem 3, none}};
handle_call(zero, _, State) -> {reply, 0, State}.
handle_cast(reset, {_, Waiting}) -> {noreply, {0, Waiting}}.

%% Links that are there or not.
links() ->
    Self = self(),
    process_flag(trap_exit, true),
    [spawn(fun() -> says(Self, What) end) || What <- [link, unlink, nothing]],
    linked().
says(Server, What) -> Server ! {What, self()}, receive said -> says(Server, What) end.
linked() ->
    receive
        {link, From} -> link(From), From ! said;
        {unlink, From} -> unlink(From), From ! said;
        {nothing, From} -> link(From), unlink(From), From ! said
    end,
    linked().

%% Monitors of processes that live and of some that do not.
monitors() ->
    Self = self(),
    Gone = spawn(fun() -> ok end),
    [spawn(fun() -> watches(Self, Other) end) || Other <- [Self, Gone]],
    counts(0).
watches(Server, Other) ->
    Ref = monitor(process, Other),
    Server ! {self(), is_process_alive(Other)},
    receive go_on -> ok end,
    demonitor(Ref, [flush]),
    watches(Server, Other).
counts(N) -> receive {From, true} -> From ! go_on, counts(N); {From, false} -> From ! go_on, counts(1 - N) end.

%% Names that are registered and given back.
names() ->
    Self = self(),
    [spawn(fun() -> registers(Self) end) || _ <- [1, 2]],
    turns().
registers(Server) ->
    Server ! {turn, self()},
    receive yours -> true = register(known_steps_name, self()) end,
    known_steps_name ! hello,
    receive hello -> unregister(known_steps_name) end,
    Server ! done,
    registers(Server).
turns() -> receive {turn, Who} -> Who ! yours end, receive done -> turns() end.

%% Tables that everybody writes.
tables() ->
    Table = ets:new(known_steps, [public]),
    [spawn(fun() -> writes(Table, Key) end) || Key <- [x, y]],
    reads(Table).
writes(Table, Key) ->
    ets:insert(Table, {Key, up}),
    receive after 0 -> ok end,
    ets:delete(Table, Key),
    writes(Table, Key).
reads(Table) -> ets:tab2list(Table), receive after 0 -> ok end, reads(Table).

%% The same without time, and a name: what no process owns changes while others are somewhere else.
toggles() ->
    Table = ets:new(known_steps, [public]),
    Self = self(),
    spawn(fun() -> toggles_name(Self) end),
    spawn(fun() -> toggles_row(Self, Table) end),
    takes_turns(0).
toggles_name(Server) ->
    true = register(known_steps_name, self()), pauses(Server),
    unregister(known_steps_name), pauses(Server),
    toggles_name(Server).
toggles_row(Server, Table) ->
    ets:insert(Table, {x, up}), pauses(Server),
    ets:delete(Table, x), pauses(Server),
    toggles_row(Server, Table).
pauses(Server) -> Server ! self(), receive go_on -> ok end.
takes_turns(N) -> receive From -> From ! go_on, takes_turns((N + 1) rem 5) end.

%% Processes that are born and end.
children() -> loop_children(3).
loop_children(N) ->
    Self = self(),
    Child = spawn(fun() -> receive {Self, M} -> Self ! {self(), M + 1} end end),
    Child ! {Self, N},
    receive {Child, M} -> loop_children(M rem 3) end.

%% What a process sends itself, and what it asks of its own mailbox.
own_mailbox() ->
    Self = self(),
    spawn(fun() -> sends(Self) end),
    sees(0).
sends(Server) -> Server ! {hello, self()}, receive again -> sends(Server) end.
sees(N) ->
    self() ! mark,
    {message_queue_len, Length} = process_info(self(), message_queue_len),
    receive mark -> ok end,
    receive {hello, From} -> From ! again end,
    sees((N + Length) rem 4).

%% The same message, now and then as a priority message (of OTP 28).
priority() ->
    Alias = alias([explicit_unalias, priority]),
    Self = self(),
    Other = spawn(fun Loop() -> receive seen -> Self ! heard, Loop() end end),
    spawn(fun() -> sends_in_turn(Self, Alias) end),
    spawn(fun() -> sends_in_turn(Self, Alias) end),
    shows(Other).
sends_in_turn(Pid, Alias) ->
    Pid ! {m, self()},
    receive go_on -> ok end,
    erlang:send(Alias, {m, self()}, [priority]),
    receive go_on -> sends_in_turn(Pid, Alias) end.
shows(Other) -> receive {m, From} -> Other ! seen, From ! go_on end, receive heard -> shows(Other) end.

%% Nothing comes again: no step is known, until nobody looks any more.
never_again() ->
    Self = self(),
    [spawn(fun() -> counts_up(Self, 0) end) || _ <- [1, 2]],
    adds_up(0).
counts_up(Server, N) -> Server ! {self(), N}, receive go_on -> counts_up(Server, N + 1) end.
adds_up(Sum) -> receive {From, N} -> From ! go_on, adds_up(Sum + N) end.

%% A bug that needs one order of three: the last one is served twice in a row.
bug() ->
    Self = self(),
    [spawn(fun() -> comes(Self, Name) end) || Name <- [a, b, c]],
    serves([a, b]).
comes(Server, Name) -> Server ! {Name, self()}, receive ok -> comes(Server, Name) end.
serves([Last, Before]) ->
    receive
        {c, _} when Last =:= c, Before =:= c -> exit(three_times_c);
        {Name, From} -> From ! ok, serves([Name, Last])
    end.
