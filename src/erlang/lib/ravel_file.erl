%% What OTP's file server and erl_prim_loader would answer: file:call/2 and erl_prim_loader:request/1 come here instead
%% of sending a request. The caller does the work itself: what others could notice are the operations on files
%% (src/erlang/bif/files.cc).
-module(ravel_file).

-export([call/2, consult/1]).  % file
-export([request/1]).  % erl_prim_loader

call(open, [Name, Modes]) when is_list(Modes) -> file_io_server:start(self(), Name, Modes);
call(open, [_Name, _Mode]) -> {error, einval};
call(copy, [Source, SourceModes, Destination, DestinationModes, Length]) ->
    with_open(Source, [read, binary | SourceModes], fun(From) ->
        with_open(Destination, [write, binary | DestinationModes], fun(To) -> prim_file:copy(From, To, Length) end)
    end);
call(Command, Arguments) -> apply(prim_file, Command, Arguments).

with_open(Name, Modes, Do) ->
    case prim_file:open(Name, Modes) of
        {ok, File} ->
            Result = Do(File),
            _ = prim_file:close(File),
            Result;
        {error, _} = Error ->
            Error
    end.

%% file:consult/1 reads terms from an open file, that is from a process; the caller can do it.
consult(Name) ->
    case file:read_file(Name) of
        {ok, Bytes} ->
            Encoding = case epp:read_encoding_from_binary(Bytes) of
                           none -> epp:default_encoding();
                           Found -> Found
                       end,
            case unicode:characters_to_list(Bytes, Encoding) of
                Characters when is_list(Characters) -> terms(Characters, 1, []);
                _ -> {error, {1, file_io_server, invalid_unicode}}
            end;
        {error, _} = Error ->
            Error
    end.

terms(Characters, Line, Terms) ->
    case tokens(Characters, Line) of
        {done, {ok, Tokens, End}, Rest} ->
            case erl_parse:parse_term(Tokens) of
                {ok, Term} -> terms(Rest, End, [Term | Terms]);
                {error, Information} -> {error, Information}
            end;
        {done, {eof, _End}, _Rest} ->
            {ok, lists:reverse(Terms)};
        {done, {error, Information, _End}, _Rest} ->
            {error, Information}
    end.

tokens(Characters, Line) ->
    case erl_scan:tokens([], Characters, Line) of
        {more, Continuation} -> erl_scan:tokens(Continuation, eof, Line);
        Done -> Done
    end.

request({get_file, Name}) ->
    case prim_file:read_file(Name) of
        {ok, Bytes} -> {ok, Bytes, filename:absname(Name)};
        {error, _} -> error
    end;
request({Command, Name}) when Command =:= list_dir; Command =:= read_file; Command =:= read_file_info;
                              Command =:= read_link_info ->
    case apply(prim_file, Command, [Name]) of
        {ok, Answer} -> {ok, Answer};
        {error, _} -> error
    end;
request({get_cwd, Arguments}) -> apply(prim_file, get_cwd, Arguments);
request({get_path, []}) -> {ok, [filename:join(ravel_code:otp_dir(App), "ebin") || App <- ["kernel", "stdlib"]]};
request(_Other) -> error.
