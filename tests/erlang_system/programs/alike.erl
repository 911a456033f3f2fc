%% Random programs of processes that are alike, see symmetry_test.cc: members that make the same random operations, and a board
%% that they all know. Nobody goes by what they are called.
-module(alike).
-export([small/2, member/2, board/3]).

%% Which: stay, where members have no end, or leave.
small(Seed, Which) ->
    put(random, Seed * 7919 + 17),
    rows = ets:new(rows, [named_table, public]),
    sorted = ets:new(sorted, [named_table, public, ordered_set]),
    Board = spawn(?MODULE, board, [[], none, #{}]),
    Count = 2 + below(2),
    Script = script(Which),
    Other = case below(3) of 0 -> script(Which); _ -> Script end,
    spawn_members(Count - 1, Board, Script),
    spawn_members(1, Board, Other),
    [Board ! {later, 1} || below(4) =:= 0],
    receive never -> ok end.

spawn_members(0, _, _) -> ok;
spawn_members(N, Board, Script) ->
    spawn(?MODULE, member, [Board, Script]),
    spawn_members(N - 1, Board, Script).

script(stay) -> [operation() || _ <- lists:seq(1, 2 + below(2))] ++ [pick([stay, again])];
script(leave) -> [pick([operation(), fail]) || _ <- lists:seq(1, 2 + below(2))] ++ [pick([stay, leave, again])].

operation() ->
    pick([hello, ask, meet, poke, row, sorted, look, watch, link, helper, timer, remember, bye]).

member(Board, Script) -> member(Board, Script, Script).

member(_, [leave], _) -> ok;
member(_, [stay], _) -> receive never -> ok end;
member(Board, [again], Script) ->
    do(ask, Board),
    member(Board, Script, Script);
member(Board, [Operation | Rest], Script) ->
    do(Operation, Board),
    member(Board, Rest, Script).

do(hello, Board) -> Board ! {hello, self()};
do(ask, Board) ->
    Ref = make_ref(),
    Board ! {ask, self(), Ref},
    receive {Ref, Length} -> put(length, Length) end;
do(meet, Board) ->
    Board ! {meet, self()},
    receive {peer, Peer} -> put(peer, Peer) after 100 -> ok end;
do(poke, _) ->
    case get(peer) of
        undefined -> ok;
        Peer -> Peer ! {poke, self()}
    end;
do(row, _) -> ets:insert(rows, {self(), get(peer)});
do(sorted, _) -> ets:insert(sorted, {{self(), x}, get(length)});
do(look, _) -> put(seen, ets:lookup(rows, get(peer)));
do(watch, Board) -> put(watch, monitor(process, case get(peer) of undefined -> Board; Peer -> Peer end));
do(link, Board) -> link(Board);
do(helper, Board) -> Self = self(), spawn(fun() -> Board ! {helper, self(), Self} end);
do(timer, _) -> erlang:send_after(50, self(), {tick, self()});
do(remember, _) -> put({self(), get(peer)}, #{self() => 1, get(peer) => 2});
do(fail, _) -> (get(length) =:= 2) andalso error(two);
do(bye, Board) -> Board ! {bye, self()}.

board(Queue, Waiting, Known) ->
    receive
        {hello, Pid} when length(Queue) < 2 -> board(Queue ++ [Pid], Waiting, Known);
        {hello, _} -> board(tl(Queue), Waiting, Known);
        {ask, Pid, Ref} -> Pid ! {Ref, length(Queue)}, board(Queue, Waiting, Known#{Pid => map_size(Known)});
        {meet, Pid} when Waiting =:= none; Waiting =:= Pid -> board(Queue, Pid, Known);
        {meet, Pid} ->
            Pid ! {peer, Waiting},
            Waiting ! {peer, Pid},
            board(Queue, none, Known#{{Pid, Waiting} => met});
        {helper, Helper, Pid} -> board(Queue, Waiting, Known#{Pid => Helper});
        {bye, Pid} -> board(lists:delete(Pid, Queue), Waiting, maps:remove(Pid, Known));
        {later, _} -> board(Queue, Waiting, Known)
    end.

pick(List) -> lists:nth(1 + below(length(List)), List).
below(N) ->
    Next = (get(random) * 1103515245 + 12345) rem 2147483648,
    put(random, Next),
    (Next div 65536) rem N.
