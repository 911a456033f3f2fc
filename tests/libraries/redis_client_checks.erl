%% library: redis_client
%% A client of a server on the network, which is refused; with gen_tcp replaced by a fake one it is not.
-module(redis_client_checks).
-export([connected/0]).

%% expect: redis_client_checks:connected dpor unsupported
connected() ->
    {ok, Client} = eredis:start_link(),
    eredis:q(Client, ["GET", "key"], infinity).
