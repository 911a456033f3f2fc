%% Registration server, step_25 (listings 6.27 of "Dynamic Systematic Testing of Concurrent
%% Erlang Programs", A. Gotovos, 2011).
%% Defect: the number of a process that exits stays taken.
-module(reg_server).

-export([attach/0, detach/0, ping/0, start/0, stop/0]).

-include("reg_server.hrl").

-define(REG_NAME, reg_server).
-define(REG_REQUEST, reg_request).
-define(REG_REPLY, reg_reply).

-record(state, {free, reg}).

attach() ->
    request(attach).

detach() ->
    request(detach).

start() ->
    case whereis(?REG_NAME) of
        undefined ->
            Pid = spawn(fun() -> loop(initState()) end),
            try register(?REG_NAME, Pid) of
                true -> ok
            catch
                error:badarg ->
                    Pid ! {?REG_REQUEST, kill},
                    already_started
            end;
        _Pid -> already_started
    end.

initState() ->
    FreeList = lists:seq(1, ?MAX_ATTACHED_PROC),
    #state{free = ordsets:from_list(FreeList), reg = dict:new()}.

stop() ->
    request(stop).

ping() ->
    request(ping).

loop(#state{free = Free, reg = Reg} = State) ->
    receive
        {?REG_REQUEST, Target, attach} ->
            case dict:find(Target, Reg) of
                {ok, RegNum} ->
                    reply(Target, RegNum),
                    loop(State);
                error ->
                    case ordsets:to_list(Free) of
                        [] ->
                            %% The comma after this call is missing in the thesis.
                            reply(Target, server_full),
                            loop(State);
                        [RegNum|NewFreeList] ->
                            NewReg = dict:store(Target, RegNum, Reg),
                            reply(Target, RegNum),
                            NewFree = ordsets:from_list(NewFreeList),
                            NewState = State#state{free = NewFree, reg = NewReg},
                            loop(NewState)
                    end
            end;
        {?REG_REQUEST, Target, detach} ->
            case dict:is_key(Target, Reg) of
                false ->
                    reply(Target, ok),
                    loop(State);
                true ->
                    RegNum = dict:fetch(Target, Reg),
                    NewReg = dict:erase(Target, Reg),
                    NewFree = ordsets:add_element(RegNum, Free),
                    reply(Target, ok),
                    NewState = State#state{free = NewFree, reg = NewReg},
                    loop(NewState)
            end;
        {?REG_REQUEST, Target, ping} ->
            case dict:find(Target, Reg) of
                {ok, RegNum} -> reply(Target, RegNum);
                error -> reply(Target, pong)
            end,
            loop(State);
        {?REG_REQUEST, Target, stop} ->
            unregister(?REG_NAME),
            reply(Target, ok);
        {?REG_REQUEST, kill} -> killed
    end.

request(Request) ->
    case whereis(?REG_NAME) of
        undefined -> server_down;
        Pid ->
            Ref = monitor(process, Pid),
            Pid ! {?REG_REQUEST, self(), Request},
            receive
                {?REG_REPLY, Reply} ->
                    demonitor(Ref, [flush]),
                    Reply;
                {'DOWN', Ref, process, Pid, _Reason} -> server_down
            end
    end.

reply(Target, Reply) ->
    Target ! {?REG_REPLY, Reply}.
