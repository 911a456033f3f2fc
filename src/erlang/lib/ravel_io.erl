%% What module io does with its device. The machine calls execute_request here instead of io's own.
%%
%% The device of a search is no process (src/erlang/machine/io_device.h): the caller carries out the
%% request itself, as user's server would, and printing is no operation that others could notice. Any other
%% device is sent its request, as by io.
-module(ravel_io).
-export([execute_request/2, execute_request/3]).
-export([serve/0]).
-export([be_server/0, is_device/1, is_watched_device/1, own_leader/1, put_chars/2, tells_what_was_printed/0]).  % built-ins

%% A process that answers requests that were sent to the device itself and need one: those with a function to call, and
%% those for input, whose prompt is text to be made.
-spec serve() -> no_return().
serve() ->
    ok = be_server(),
    answer().

answer() ->
    receive
        {io_request, From, ReplyAs, Request} -> From ! {io_reply, ReplyAs, reply(Request)}
    end,
    answer().

-spec be_server() -> ok.
be_server() -> erlang:nif_error(undefined).

-spec is_device(term()) -> boolean().
is_device(_Device) -> erlang:nif_error(undefined).

-spec is_watched_device(term()) -> boolean().
is_watched_device(_Device) -> erlang:nif_error(undefined).

-spec own_leader(pid()) -> pid().
own_leader(_Self) -> erlang:nif_error(undefined).

-spec put_chars(unicode | latin1, unicode:chardata()) -> ok.
put_chars(_Encoding, _Characters) -> erlang:nif_error(undefined).

%% Does the device of this release tell what it could not print?
-spec tells_what_was_printed() -> boolean().
tells_what_was_printed() -> erlang:nif_error(undefined).

execute_request(Device, Request) -> execute_request(Device, Request, error).

execute_request(Device, _Request, ErrorTag) when Device =:= self() ->
    {ErrorTag, calling_self};
execute_request(Device, {Convert, Request}, ErrorTag) ->
    case is_device(Device) of
        true -> reply(Request);
        false -> ask(Device, Convert, Request, ErrorTag)
    end.

ask(Device, Convert, Request, ErrorTag) ->
    Monitor = erlang:monitor(process, Device),
    Device ! {io_request, self(), Monitor, Request},
    receive
        {io_reply, Monitor, Reply} ->
            erlang:demonitor(Monitor, [flush]),
            case Convert of
                true when is_binary(Reply) -> unicode:characters_to_binary(Reply, latin1, unicode);
                _ -> Reply
            end;
        {'DOWN', Monitor, _, _, _} ->
            receive {'EXIT', Device, _} -> true after 0 -> true end,
            {ErrorTag, terminated}
    end.

reply({put_chars, Encoding, Characters}) -> print(Encoding, Characters);
reply({put_chars, Encoding, Module, Function, Arguments}) -> print_result(Encoding, Module, Function, Arguments);
reply({put_chars, Characters}) -> print(latin1, Characters);
reply({put_chars, Module, Function, Arguments}) -> print_result(latin1, Module, Function, Arguments);
reply({requests, Requests}) when is_list(Requests) -> replies(Requests, ok);
reply({get_chars, _Encoding, Prompt, _Count}) -> end_of_input(Prompt);
reply({get_chars, Prompt, _Count}) -> end_of_input(Prompt);
reply({get_line, _Encoding, Prompt}) -> end_of_input(Prompt);
reply({get_line, Prompt}) -> end_of_input(Prompt);
reply({get_until, _Encoding, Prompt, _Module, _Function, _Arguments}) -> end_of_input(Prompt);
reply({get_until, Prompt, _Module, _Function, _Arguments}) -> end_of_input(Prompt);
reply({get_password, _Encoding}) -> {error, enotsup};
reply(get_password) -> {error, enotsup};
reply(getopts) -> [{binary, false}, {encoding, unicode}];
reply({setopts, Options}) when is_list(Options) -> set_options(Options);
reply({get_geometry, _What}) -> {error, enotsup};
reply(Request) -> {error, {request, Request}}.

replies([Request | Requests], _Before) ->
    case reply(Request) of
        {error, _} = Error -> Error;
        Reply -> replies(Requests, Reply)
    end;
replies([], Last) -> Last.

print(Encoding, Characters) when Encoding =:= unicode; Encoding =:= latin1 ->
    try put_chars(Encoding, Characters) catch error:badarg -> unprinted({put_chars, Encoding, Characters}) end;
print(Encoding, Characters) ->
    {error, {request, {put_chars, Encoding, Characters}}}.

print_result(Encoding, Module, Function, Arguments) ->
    try apply(Module, Function, Arguments) of
        Characters when is_list(Characters); is_binary(Characters) -> print(Encoding, Characters);
        _ -> unprinted(Function)
    catch
        _:_ -> unprinted(Function)
    end.

unprinted(What) ->
    case tells_what_was_printed() of
        true -> {error, What};
        false -> {error, put_chars}
    end.

%% The input is empty, but a prompt shows.
end_of_input(Prompt) ->
    _ = print(unicode, io_lib:format_prompt(Prompt, unicode)),
    eof.

%% Options are checked and have no effect: the device takes everything and prints UTF-8.
set_options([Option | Options]) ->
    case is_option(Option) of
        true -> set_options(Options);
        false -> {error, enotsup}
    end;
set_options([]) -> ok.

is_option({binary, Value}) -> is_boolean(Value);
is_option({list, Value}) -> is_boolean(Value);
is_option({encoding, Encoding}) -> is_encoding(Encoding);
is_option(Option) -> Option =:= binary orelse Option =:= list orelse is_encoding(Option).

is_encoding(Encoding) -> Encoding =:= unicode orelse Encoding =:= utf8 orelse Encoding =:= latin1.
