%% Which children kernel's supervisor has: those whose work is Erlang. kernel:init/1 comes here.
%%
%% Not among them: what native code replaces (code_server, file_server_2, user, standard_error), what reaches other nodes
%% or the host (net_sup, inet_db, global_group, erl_signal_server), and the helpers of log handlers that write to files.
-module(ravel_kernel).

-export([init/1]).   % kernel
-export([start/0]).  % erl_signal_handler

init([]) ->
    Children = [server(rex, rpc),
                server(global_name_server, global),
                supervisor(kernel_safe_sup, {supervisor, start_link, [{local, kernel_safe_sup}, kernel, safe]}),
                supervisor(logger_sup, {logger_sup, start_link, []})],
    {ok, {#{strategy => one_for_all, intensity => 0, period => 1}, Children}};
init(safe) ->
    {ok, {#{strategy => one_for_one, intensity => 4, period => 3600}, []}}.

server(Id, Module) ->
    #{id => Id, start => {Module, start_link, []}, restart => permanent, shutdown => 2000, type => worker,
      modules => [Module]}.

supervisor(Id, Start) ->
    #{id => Id, start => Start, restart => permanent, shutdown => infinity, type => supervisor, modules => [Id]}.

%% The host's signals never arrive.
start() -> ok.
