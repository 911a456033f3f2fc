%% What a program does to files is part of its state: each execution begins with the files as they are on the host, and
%% processes that share a file race for it.
-module(files).
-export([from_the_start/0, apart/0, counted/0, exclusive/0, listed/0, io_server/0, protected/0]).

in_new_folder(Do) ->
    ok = file:make_dir("new_folder_of_files"),
    Do("new_folder_of_files/").

all(Funs) ->
    Self = self(),
    [spawn(fun() -> Self ! {done, Fun()} end) || Fun <- Funs],
    [receive {done, Value} -> Value end || _ <- Funs].

%% No execution sees what another one has written.
%% expect: files:from_the_start dpor pass
from_the_start() ->
    in_new_folder(fun(Folder) ->
        {ok, []} = file:list_dir(Folder),
        all([fun() -> file:write_file(Folder ++ "a", "x", [append]) end || _ <- [1, 2]]),
        {ok, <<"xx">>} = file:read_file(Folder ++ "a")
    end).

%% expect: files:apart dpor pass
apart() ->
    in_new_folder(fun(Folder) ->
        all([fun() -> file:write_file(Folder ++ Name, Name) end || Name <- ["a", "b"]]),
        {ok, [<<"a">>, <<"b">>]} = {ok, [element(2, file:read_file(Folder ++ Name)) || Name <- ["a", "b"]]}
    end).

%% A counter in a file: one of two additions may be lost.
%% expect: files:counted dpor bug abnormal_exit
counted() ->
    in_new_folder(fun(Folder) ->
        Name = Folder ++ "counter",
        ok = file:write_file(Name, <<0>>),
        Add = fun() -> {ok, <<N>>} = file:read_file(Name), ok = file:write_file(Name, <<(N + 1)>>, [read]) end,
        all([Add, Add]),
        {ok, <<2>>} = file:read_file(Name)
    end).

%% Only one of two processes makes a file that must not be there yet.
%% expect: files:exclusive dpor pass
exclusive() ->
    in_new_folder(fun(Folder) ->
        Lock = fun() -> file:open(Folder ++ "lock", [raw, exclusive]) end,
        [{error, eexist}, {ok, _}] = lists:sort([case R of {ok, _} -> {ok, file}; E -> E end || R <- all([Lock, Lock])])
    end).

%% Listing sees a new name or does not.
%% expect: files:listed dpor bug abnormal_exit
listed() ->
    in_new_folder(fun(Folder) ->
        all([fun() -> ok = file:make_dir(Folder ++ "a") end, fun() -> {ok, []} = file:list_dir(Folder) end])
    end).

%% An open file that is not raw is a process; it reads terms and lines.
%% expect: files:io_server dpor pass
%% options: --after-infinite 1000
io_server() ->
    in_new_folder(fun(Folder) ->
        ok = file:write_file(Folder ++ "terms", <<"{a, 1}.\nline\n">>),
        {ok, File} = file:open(Folder ++ "terms", [read]),
        {ok, {a, 1}} = io:read(File, ""),
        "line\n" = io:get_line(File, ""),
        eof = io:get_line(File, ""),
        ok = file:close(File)
    end).

%% Whether a file may be written depends on its permissions.
%% expect: files:protected dpor bug abnormal_exit
protected() ->
    in_new_folder(fun(Folder) ->
        Name = Folder ++ "a",
        ok = file:write_file(Name, ""),
        [ok, ok] = all([fun() -> file:change_mode(Name, 8#400) end, fun() -> file:write_file(Name, "b", [raw]) end])
    end).
