%% Files: random series of operations on files and on open files, raw and not, in a folder of each case's own.
-module(diff_files).
-export([main/0, main/2]).
-import(diff_support, [pick/1, rnd/1, range/2, list_of/2, chance/1]).
-include_lib("kernel/include/file.hrl").

main() -> main(23, 700).

main(Seed, Count) ->
    Root = "diff_files_folder",
    _ = remove(Root),
    ok = file:make_dir(Root),
    diff_support:run(Seed, Count, fun() -> {files, fun() -> series(filename:join(Root, "case")) end} end),
    ok = remove(Root).

series(Folder) ->
    ok = file:make_dir(Folder),
    put(open, []),
    Results = list_of(range(4, 24), fun() -> step(Folder) end),
    [file:close(File) || File <- get(open)],
    After = contents(Folder),
    ok = remove(Folder),
    {Results, After}.

contents(Folder) ->
    {ok, Names} = file:list_dir(Folder),
    [case file:list_dir(filename:join(Folder, Name)) of
         {ok, Inner} -> {Name, lists:sort(Inner)};
         {error, enotdir} -> {Name, file:read_file(filename:join(Folder, Name))}
     end || Name <- lists:sort(Names)].

remove(Path) ->
    case file:list_dir(Path) of
        {ok, Names} ->
            [remove(filename:join(Path, Name)) || Name <- Names],
            file:del_dir(Path);
        {error, _} ->
            file:delete(Path)
    end.

step(Folder) ->
    case get(open) =/= [] andalso chance(65) of
        true -> on_open(pick(get(open)));
        false -> on_name(Folder)
    end.

name(Folder) -> filename:join(Folder, pick({"a", "a", "b", "c", "d", "d/e", "d/../a", "./b", "a/x", "missing/x"})).

data() -> pick({<<>>, <<"one\ntwo\r\nthree">>, "abc", [<<"x">>, $y, ["z\n"]], <<"{term, 1}.\n[2].\n">>, <<0, 255, 128>>,
                binary:copy(<<"0123456789">>, 70)}).

on_name(Folder) ->
    Name = name(Folder),
    case rnd(18) of
        13 -> Mode = pick({8#700, 8#750, 8#755}), {mode, file:change_mode(Name, Mode), mode(file:read_file_info(Name))};
        14 -> Time = pick({{{2001, 2, 3}, {4, 5, 6}}, {{2030, 12, 31}, {23, 59, 59}}}),
              {time, file:change_time(Name, Time), modified(file:read_file_info(Name))};
        15 -> {written, file:change_time(Name, {{2001, 2, 3}, {4, 5, 6}}), file:write_file(Name, "x", [append]),
               modified(file:read_file_info(Name)) =:= {{2001, 2, 3}, {4, 5, 6}}};
        0 -> {write, file:write_file(Name, data())};
        1 -> {write, file:write_file(Name, data(), pick({[append], [exclusive], [raw], [append, raw]}))};
        2 -> {read, file:read_file(Name)};
        3 -> {list, sorted(file:list_dir(Name))};
        4 -> {make, file:make_dir(pick({filename:join(Folder, "d"), Name}))};
        5 -> {delete_folder, file:del_dir(pick({filename:join(Folder, "d"), Name}))};
        6 -> {delete, file:delete(Name)};
        7 -> {rename, case filelib:is_dir(Name) of true -> folder; false -> file:rename(Name, name(Folder)) end};
        8 -> {copy, file:copy(Name, name(Folder))};
        9 -> {copy, file:copy(Name, name(Folder), range(0, 20))};
        10 -> {info, info(file:read_file_info(Name))};
        11 -> {consult, file:consult(Name)};
        12 -> {exists, filelib:is_file(Name), filelib:is_dir(Name), filelib:is_dir(Name) orelse filelib:file_size(Name)};
        _ -> open(Name)
    end.

sorted({ok, Names}) -> {ok, lists:sort(Names)};
sorted(Error) -> Error.

info({ok, Info}) -> {Info#file_info.type, if Info#file_info.type =:= regular -> Info#file_info.size; true -> 0 end};
info(Error) -> Error.

mode({ok, Info}) -> Info#file_info.mode band 8#777;
mode(Error) -> Error.

modified({ok, Info}) -> Info#file_info.mtime;
modified(Error) -> Error.

open(Name) ->
    Access = pick({[read], [write], [read, write], [append], [exclusive], [], [read, append]}),
    How = pick({[], [raw], [binary], [raw, binary], [raw, read_ahead], [raw, binary, {read_ahead, 7}], [binary, read_ahead],
                [{encoding, utf8}]}),
    case file:open(Name, Access ++ How) of
        {ok, File} ->
            put(open, [File | get(open)]),
            {open, Access, How};
        Error ->
            {open, Access, How, Error}
    end.

on_open(File) ->
    case rnd(14) of
        0 -> {close, close(File)};
        1 -> {write, file:write(File, data())};
        2 -> {pwrite, file:pwrite(File, range(0, 30), data())};
        3 -> {read, file:read(File, range(0, 20))};
        4 -> {read, file:read(File, range(0, 20))};
        5 -> {pread, file:pread(File, range(0, 30), range(0, 12))};
        6 -> {pread, file:pread(File, [{0, 3}, {range(0, 30), 4}])};
        7 -> {position, file:position(File, pick({bof, eof, cur, range(0, 20), {cur, range(-5, 5)}, {eof, range(-9, 2)}}))};
        8 -> {truncate, file:truncate(File)};
        9 -> {line, file:read_line(File)};
        10 -> {line, file:read_line(File)};
        11 -> {sync, file:sync(File), file:datasync(File)};
        12 when is_pid(File) -> {io, pick_io(File)};
        12 -> {advise, file:advise(File, 0, 0, pick({normal, sequential, wrong}))};
        13 when is_pid(File) -> {put, catch_error(fun() -> io:put_chars(File, pick({"text\n", <<"b">>, [1234]})) end)};
        13 -> {allocate, file:allocate(File, 0, range(1, 9))}
    end.

close(File) ->
    put(open, lists:delete(File, get(open))),
    {file:close(File), case is_pid(File) of true -> pid; false -> file:close(File) end}.

pick_io(File) ->
    case rnd(4) of
        0 -> io:get_line(File, prompt);
        1 -> io:get_chars(File, prompt, 5);
        2 -> catch_error(fun() -> io:read(File, prompt) end);
        3 -> io:getopts(File)
    end.

catch_error(Fun) ->
    try Fun() catch Class:Reason -> {Class, Reason} end.
