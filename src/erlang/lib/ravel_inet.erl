%% What OTP's inet_db would know of the network: nothing but a name for the host. All that gen_tcp, gen_udp and the like do
%% begins with a question to it, and ends the search there.
-module(ravel_inet).

-export([gethostname/0]).  % inet
-export([db_get/1]).       % inet_db
-export([refuse/0]).       % a built-in

gethostname() -> {ok, "localhost"}.

db_get(hostname) -> "localhost";
db_get(_Name) -> refuse().

-spec refuse() -> no_return().
refuse() -> erlang:nif_error(undefined).
