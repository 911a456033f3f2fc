%% What looks at the order of messages without taking one: two messages in either order, of senders that do nothing else together.
-module(message_order).
-export([shows_order/0, shows_order_below_proc_lib/0, shows_order_of_another/0, shows_how_many/0, is_private/0]).

%% expect: message_order:shows_order dfs bug abnormal_exit
shows_order() ->
    {First, Second} = two_senders(self()),
    wait_for(First),
    wait_for(Second),
    {messages, [{from, 1}, {from, 2}]} = process_info(self(), messages).

%% Who asks is not proc_lib, which has only started it.
%% expect: message_order:shows_order_below_proc_lib dfs bug abnormal_exit
shows_order_below_proc_lib() ->
    proc_lib:spawn(fun shows_order/0).

%% expect: message_order:shows_order_of_another dfs bug abnormal_exit
shows_order_of_another() ->
    Other = spawn(fun() -> receive stop -> ok end end),
    {First, Second} = two_senders(Other),
    wait_for(Second),
    wait_for(First),
    [{messages, [{from, 1}, {from, 2}]}, {message_queue_len, 2}] = process_info(Other, [messages, message_queue_len]),
    Other ! stop.

%% The senders end in two orders, which the monitors' messages show to nobody; their messages come in two orders, which nobody sees.
%% expect: message_order:shows_how_many dpor pass schedules=1
shows_how_many() ->
    {First, Second} = two_senders(self()),
    wait_for(First),
    wait_for(Second),
    {message_queue_len, 2} = process_info(self(), message_queue_len).

%% expect: message_order:is_private dfs pass
is_private() ->
    process_flag(sensitive, true),
    {First, Second} = two_senders(self()),
    wait_for(First),
    wait_for(Second),
    {messages, []} = process_info(self(), messages).

two_senders(To) ->
    {spawn_monitor(fun() -> To ! {from, 1} end), spawn_monitor(fun() -> To ! {from, 2} end)}.

wait_for({_, Reference}) ->
    receive {'DOWN', Reference, process, _, _} -> ok end.
