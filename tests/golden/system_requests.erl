%% Requests that go to the processes of the system by hand: to init, and to the device.
-module(system_requests).
-export([init_answers/0, init_does_not_know/0, functions_of_requests/0, answers_in_order/0, own_group_leader/0, two_askers/0]).

%% expect: system_requests:init_answers dpor pass schedules=1
init_answers() ->
    {ok, [[Root]]} = ask_init({get_argument, root}),
    true = lists:member({root, [Root]}, ask_init(get_arguments)),
    {ok, [[]]} = ask_init({get_argument, noshell}),
    error = ask_init({get_argument, no_such_flag}),
    [] = ask_init(get_plain_arguments),
    {_, started} = ask_init(get_status),
    {"Erlang/OTP", _} = ask_init(script_id),
    started = ask_init({notify_when_started, self()}).

ask_init(Request) ->
    init ! {self(), Request},
    receive {init, Answer} -> Answer end.

%% What init does not know it passes over, as what it could not answer.
%% expect: system_requests:init_does_not_know dpor pass schedules=1
init_does_not_know() ->
    init ! hello,
    init ! {self(), {get_everything, 1}},
    init ! {not_a_process, get_status},
    {_, started} = ask_init(get_status),
    receive {init, _} -> error(answered) after 0 -> ok end.

%% expect: system_requests:functions_of_requests dpor pass schedules=1
functions_of_requests() ->
    ok = ask_device({put_chars, unicode, io_lib, format, ["~p~n", [shown]]}),
    ok = ask_device({put_chars, io_lib, format, ["~p~n", [shown]]}),
    {error, error} = told(ask_device({put_chars, unicode, erlang, error, [why]}), error),
    {error, self} = told(ask_device({put_chars, unicode, erlang, self, []}), self),
    ok = ask_device({requests, [{put_chars, unicode, "a"}, {put_chars, unicode, io_lib, nl, []}]}).

%% Until OTP 26 the answer does not name the function.
told({error, put_chars}, Function) -> true = erlang:system_info(otp_release) < "27", {error, Function};
told(Answer, _) -> true = erlang:system_info(otp_release) >= "27", Answer.

ask_device(Request) ->
    user ! {io_request, self(), here, Request},
    receive {io_reply, here, Answer} -> Answer end.

%% The one that needs no function comes second, and before, while or after the first is answered.
%% expect: system_requests:answers_in_order dpor pass schedules=3
answers_in_order() ->
    user ! {io_request, self(), 1, {put_chars, unicode, io_lib, format, ["~p~n", [first]]}},
    user ! {io_request, self(), 2, {put_chars, unicode, "second\n"}},
    [receive {io_reply, Number, ok} -> Number end || _ <- "ab"] =:= [1, 2] orelse error(order).

%% A group leader of the test's own hands requests on, as they come from io.
%% expect: system_requests:own_group_leader dpor pass schedules=1
own_group_leader() ->
    Device = group_leader(),
    Leader = spawn(fun() -> hand_on(Device) end),
    group_leader(Leader, self()),
    ok = io:format("~p by way of ~p~n", [text, leader]),
    ok = io:put_chars("plain\n"),
    group_leader(Device, self()),
    Leader ! stop.

hand_on(Device) ->
    receive
        stop -> ok;
        Request -> Device ! Request, hand_on(Device)
    end.

%% Two that ask at a time: the device takes one request before the other, and the test one of the two messages.
%% expect: system_requests:two_askers dpor pass schedules=4
two_askers() ->
    Test = self(),
    Ask = fun() -> ask_device({put_chars, unicode, io_lib, format, ["~p~n", [text]]}), Test ! done end,
    spawn(Ask),
    spawn(Ask),
    [receive done -> ok end || _ <- "ab"].
