%% Chain replication (R. van Renesse, F. B. Schneider, OSDI 2004): three servers, a master that monitors
%% them, a client with one update and one query, and somebody who kills one server at any time. Updates go
%% from the head to the tail, which replies and answers queries.
%%
%%   ravel check chain.erl -t chain:head_test -t chain:middle_test -t chain:tail_test      no bug
%%   ravel check chain.erl -t chain:not_sent_again_test    a bug: the client waits for ever
%%   ravel check chain.erl -t chain:no_reply_test          a bug: the client waits for ever
%%   ravel check chain.erl -t chain:early_reply_test       a bug: the client does not read what it wrote
-module(chain).
-include_lib("eunit/include/eunit.hrl").

head_test() -> one_dies(1, none).
middle_test() -> one_dies(2, none).
tail_test() -> one_dies(3, none).

%% A server with a new successor does not send again what the dead one has not passed on.
not_sent_again_test() -> one_dies(2, not_sent_again).

%% A new tail does not reply to updates that the old one did not get any more.
no_reply_test() -> one_dies(3, no_reply).

%% The head replies before the update has reached the tail.
early_reply_test() -> one_dies(2, early_reply).

one_dies(Number, Defect) ->
    Servers = [Head, _, Tail] = [spawn(fun() -> server(Defect) end) || _ <- [1, 2, 3]],
    Client = self(),
    spawn(fun() -> manage(Servers, Client) end),
    receive chain_is_up -> ok end,
    spawn(fun() -> exit(lists:nth(Number, Servers), kill) end),
    NewTail = update(Head, Tail, hello),
    ?assertEqual([hello], query(NewTail)).

%% The client

%% Returns who is the tail now.
update(Head, Tail, Value) ->
    Head ! {update, Value, self()},
    update_reply(Head, Tail, Value).

update_reply(Head, Tail, Value) ->
    receive
        {updated, Value} -> Tail;
        {new_head, NewHead} -> update(NewHead, Tail, Value);
        {new_tail, NewTail} -> update_reply(Head, NewTail, Value)
    end.

query(Tail) ->
    Tail ! {query, self()},
    receive
        {answer, Values} -> Values;
        {new_tail, NewTail} -> query(NewTail)
    end.

%% The master

manage(Servers, Client) ->
    [monitor(process, Server) || Server <- Servers],
    configure(none, Servers),
    Client ! chain_is_up,
    receive {'DOWN', _, process, Dead, _} -> repair(Dead, Servers, Client) end.

configure(_, []) -> ok;
configure(Predecessor, [Server | Rest]) ->
    Server ! {configure, Predecessor, hd(Rest ++ [none])},
    configure(Server, Rest).

repair(Dead, [Dead, Head | _], Client) ->
    Head ! become_head,
    Client ! {new_head, Head};
repair(Dead, [Tail, Dead], Client) ->
    Tail ! become_tail,
    Client ! {new_tail, Tail};
repair(Dead, [Predecessor, Dead, Successor | _], _) ->
    Successor ! {new_predecessor, Predecessor, self()},
    receive {last, Count} -> Predecessor ! {new_successor, Successor, Count} end;
repair(Dead, [_ | Rest], Client) ->
    repair(Dead, Rest, Client).

%% A server

-record(server, {predecessor, successor, updates = [], replied = 0, defect}).

server(Defect) ->
    receive
        {configure, Predecessor, Successor} ->
            serve(#server{predecessor = Predecessor, successor = Successor, defect = Defect})
    end.

%% The updates are in the order in which they came; of how many the tail has replied is replied.
serve(#server{updates = Updates} = Server) ->
    receive
        {update, Value, Client} ->
            case lists:keymember(Value, 1, Updates) of
                true -> serve(Server);
                false -> serve(store({Value, Client}, Server))
            end;
        {forward, Update} -> serve(store(Update, Server));
        {acknowledged, Count} -> serve(acknowledge(Count, Server));
        {query, Client} ->
            Client ! {answer, [Value || {Value, _} <- Updates]},
            serve(Server);
        become_head -> serve(Server#server{predecessor = none});
        become_tail -> serve(reply_to_all(Server#server{successor = none}));
        {new_predecessor, Predecessor, Master} ->
            Master ! {last, length(Updates)},
            serve(Server#server{predecessor = Predecessor});
        {new_successor, Successor, Count} ->
            Missing = case Server#server.defect of
                          not_sent_again -> [];
                          _ -> lists:nthtail(Count, Updates)
                      end,
            [Successor ! {forward, Update} || Update <- Missing],
            serve(Server#server{successor = Successor})
    end.

store(Update, #server{updates = Updates, successor = none} = Server) ->
    reply(Update),
    acknowledge(length(Updates) + 1, Server#server{updates = Updates ++ [Update]});
store(Update, #server{updates = Updates, successor = Successor} = Server) ->
    [reply(Update) || Server#server.defect =:= early_reply, Server#server.predecessor =:= none],
    Successor ! {forward, Update},
    Server#server{updates = Updates ++ [Update]}.

reply({Value, Client}) -> Client ! {updated, Value}.

acknowledge(Count, #server{predecessor = Predecessor} = Server) ->
    [Predecessor ! {acknowledged, Count} || Predecessor =/= none],
    Server#server{replied = Count}.

%% What only the dead tail knew to have arrived has arrived here.
reply_to_all(#server{updates = Updates, replied = Replied} = Server) ->
    [reply(Update) || Update <- lists:nthtail(Replied, Updates), Server#server.defect =/= no_reply],
    acknowledge(length(Updates), Server).
