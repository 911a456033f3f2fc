%% Two clients that take turns at a lock for ever. Who asks for it while it is taken is told to ask again;
%% the mended server keeps him in a queue.
%%
%%   F='always (waits(anna) -> eventually holds(anna))'
%%   ravel check lock.erl -t lock:asks_again --ltl "$F"                      violated: anna may ask for ever
%%   ravel check lock.erl -t lock:queues --ltl "$F"                          holds
%%   ravel check lock.erl -t lock:queues --ltl "$F" --fairness none          violated: nobody lets anna go on
%%   ravel check lock.erl -t lock:asks_again --property 'mutual_exclusion(holds)' --strategy states    holds
-module(lock).
-export([asks_again/0, queues/0]).

asks_again() -> clients(spawn(fun free/0)).
queues() -> clients(spawn(fun() -> queue([]) end)).

clients(Lock) ->
    [spawn(fun() -> client(Name, Lock) end) || Name <- [anna, ben]],
    receive never -> ok end.

client(Name, Lock) ->
    ravel:probe(waits, Name),
    ask(Lock),
    ravel:probe(waits, false),
    ravel:probe(holds, Name),
    ravel:probe(holds, false),
    Lock ! {release, self()},
    client(Name, Lock).

ask(Lock) ->
    Lock ! {request, self()},
    receive
        granted -> ok;
        taken -> ask(Lock)
    end.

%% ---- Whoever asks first when it is free gets it

free() -> receive {request, Client} -> Client ! granted, taken() end.

taken() ->
    receive
        {request, Client} -> Client ! taken, taken();
        {release, _} -> free()
    end.

%% ---- The first one of the queue has it

queue(Clients) ->
    receive
        {request, Client} ->
            [Client ! granted || Clients =:= []],
            queue(Clients ++ [Client]);
        {release, _} ->
            case tl(Clients) of
                [] -> queue([]);
                [Next | _] = Waiting -> Next ! granted, queue(Waiting)
            end
    end.
