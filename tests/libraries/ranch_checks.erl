%% library: ranch
%% Listening on a socket is refused.
-module(ranch_checks).
-export([listening/0, start_link/3]).
%% options: --after-infinite 1000

start_link(_Ref, _Transport, _Options) -> {ok, self()}.

%% expect: ranch_checks:listening dpor unsupported
listening() ->
    {ok, _} = application:ensure_all_started(ranch),
    {ok, _} = ranch:start_listener(?MODULE, ranch_tcp, #{socket_opts => [{port, 0}]}, ?MODULE, []).
