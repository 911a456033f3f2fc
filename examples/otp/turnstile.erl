%% A gen_statem with all kinds of timeouts. A search lets them fire at any time, whatever their lengths: a coin can come
%% before or after the timeout that locks the turnstile again, and Ravel tries both.
-module(turnstile).
-behaviour(gen_statem).

-export([state_timeout_test/0, event_timeout_test/0, generic_timeout_test/0, always_open_test/0]).
-export([init/1, callback_mode/0, locked/3, open/3]).

state_timeout_test() -> visit({state_timeout, 1000, lock}).
event_timeout_test() -> visit({timeout, 1000, lock}).
generic_timeout_test() -> visit({{timeout, closing}, 1000, lock}).

visit(Timeout) ->
    {ok, Turnstile} = gen_statem:start_link(?MODULE, Timeout, []),
    ok = gen_statem:call(Turnstile, coin, infinity),
    Answer = gen_statem:call(Turnstile, push, infinity),
    true = lists:member(Answer, [passed, refused]),
    ok = gen_statem:stop(Turnstile).

%% Wrong: the timeout may come first.
always_open_test() ->
    {ok, Turnstile} = gen_statem:start_link(?MODULE, {state_timeout, 1000, lock}, []),
    ok = gen_statem:call(Turnstile, coin, infinity),
    passed = gen_statem:call(Turnstile, push, infinity),
    ok = gen_statem:stop(Turnstile).

callback_mode() -> state_functions.
init(Timeout) -> {ok, locked, Timeout}.

locked({call, From}, coin, Timeout) -> {next_state, open, Timeout, [{reply, From, ok}, Timeout]};
locked({call, From}, push, Timeout) -> {keep_state, Timeout, [{reply, From, refused}]};
locked(_Timeout, lock, Timeout) -> {keep_state, Timeout}.

open({call, From}, push, Timeout) -> {next_state, locked, Timeout, [{reply, From, passed}]};
open(_Timeout, lock, Timeout) -> {next_state, locked, Timeout}.
