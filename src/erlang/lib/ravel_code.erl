%% What the code server of OTP would answer: code:call/1 comes here instead of sending it a request.
%%
%% The machine loads a module when it is first called; which ones are loaded at a given time says more about earlier executions
%% than about this one. So a module counts as loaded if it can be found in the path as it was at the start. What a program
%% loads, deletes and purges, and what it does to the path, is part of the state (src/erlang/machine/run_time_code.cc): the
%% operations are the built-ins at the end.
-module(ravel_code).

-export([call/1]).
-export([ensure_loaded/1, load_file/1]).                    % code
-export([get_mode/0, is_loaded/1, is_sticky/1]).             % code_server
-export([load_module/2]).                                   % erlang
-export([purge/1, soft_purge/1]).                           % erts_code_purger
-export([undefined_function/3, undefined_lambda/3]).        % called by the machine, as those of error_handler
-export([where_is/1, otp_dir/1, name_and_version/1]).
%% Built-ins.
-export([folders/0, root/0, locate/1, object_code/1, refuse/1]).
-export([prepare/3, load/3, install/1, delete/1, purge_old/1, soft_purge_old/1, loaded_file/1, changed/0, code_path/0,
         set_code_path/1, stickiness/1, set_stickiness/2]).
-export([check_old_code/1, function_exported/3, get_module_info/1, get_module_info/2, module_loaded/1, watched_code_path/1,
         watched_loaded_file/1]).

call(get_path) -> path();
call({dir, root_dir}) -> text(root());
call({dir, lib_dir}) -> filename:join(text(root()), "lib");
call({dir, compiler_dir}) -> otp_dir("compiler");
call({dir, {lib_dir, App}}) -> lib_dir(name(App));
call({dir, {lib_dir, App, Sub}}) -> below(lib_dir(name(App)), atom_to_list(Sub));
call({dir, {priv_dir, App}}) -> below(lib_dir(name(App)), "priv");
call({is_loaded, Module}) -> is_loaded(Module);
call(all_loaded) ->
    Changed = changed(),
    [{Module, preloaded} || Module <- erlang:pre_loaded(), not lists:keymember(Module, 1, Changed)] ++
        [{Module, File} || {Module, true} <- Changed, {file, File} <- [is_loaded(Module)]];
call({is_sticky, Module}) -> is_sticky(Module);
call({stick_mod, Module}) -> set_stickiness(Module, true), ok;
call({unstick_mod, Module}) -> set_stickiness(Module, false), ok;
call({stick_dir, Folder}) -> stick_folder(Folder, true);
call({unstick_dir, Folder}) -> stick_folder(Folder, false);
call({get_object_code, Module}) -> get_object_code(Module);
call({get_object_code_for_loading, Module}) -> get_object_code(Module);
call(get_mode) -> get_mode();
call({add_path, Where, Folder}) -> add_path(Where, Folder);
call({add_path, Where, Folder, _Cache}) -> add_path(Where, Folder);
call({add_paths, Where, Folders}) -> add_paths(Where, Folders);
call({add_paths, Where, Folders, _Cache}) -> add_paths(Where, Folders);
call({set_path, Folders}) -> set_path(Folders);
call({set_path, Folders, _Cache}) -> set_path(Folders);
call({del_path, Folder}) -> del_path(Folder);
call({del_paths, Folders}) -> lists:foreach(fun del_path/1, Folders);
call({replace_path, Name, Folder}) -> replace_path(Name, Folder);
call({replace_path, Name, Folder, _Cache}) -> replace_path(Name, Folder);
call(clear_cache) -> ok;
call({where_is_file, File}) -> code:where_is_file(path(), File);  % since OTP 29
call({load_file, Module}) -> load_file(Module);
call({ensure_loaded, Module}) -> ensure_loaded(Module);
call({load_abs, File, Module}) -> load_abs(File, Module);
call({load_binary, Module, File, Binary}) -> load_binary(Module, File, Binary);
call({load_module, {'$prepared_code', Module, Binary}, Module, File, _Purge, true}) ->
    case erlang:module_loaded(Module) of
        true -> {module, Module};
        false -> load_binary(Module, File, Binary)
    end;
call({load_module, {'$prepared_code', Module, Binary}, Module, File, _Purge, false}) -> load_binary(Module, File, Binary);
call({finish_loading, Prepared, EnsureLoaded}) -> finish_loading(Prepared, EnsureLoaded);
call({delete, Module}) -> delete(Module) =:= true;
call({purge, Module}) -> element(2, purge(Module));
call({soft_purge, Module}) -> soft_purge(Module);
call(Request) ->
    Name = if is_tuple(Request) -> element(1, Request); true -> Request end,
    refuse(atom_to_list(Name)).

get_mode() -> interactive.

%% ---- Loading

load_binary(Module, File, Binary) ->
    case is_sticky(Module) of
        true -> {error, sticky_directory};
        false -> try_load(Module, File, Binary)
    end.

try_load(Module, File, Binary) ->
    case prepare(Module, Binary, File) of
        ok -> {ok, Killed} = load(Module, Binary, File), await_ends(Killed), {module, Module};
        {on_load, Function} -> run_on_load(Module, File, Binary, Function);
        {error, _} = Error -> Error
    end.

%% The function runs in a process of its own, as with code_server, and only then the module is there.
run_on_load(Module, File, Binary, Function) ->
    {_, Monitor} = spawn_monitor(fun() -> exit({on_load, Module:Function()}) end),
    receive
        {'DOWN', Monitor, process, _, {on_load, ok}} ->
            {ok, Killed} = load(Module, Binary, File),
            await_ends(Killed),
            {module, Module};
        {'DOWN', Monitor, process, _, {on_load, _Returned}} ->
            {error, on_load_failure};
        {'DOWN', Monitor, process, _, Reason} ->
            logger:warning("The on_load function for module ~s returned:~n~P\n", [Module, Reason, 10]),
            {error, on_load_failure}
    end.

%% As the purger does, whoever purges waits until those are gone that it has killed.
await_ends(Killed) ->
    lists:foreach(fun(Pid) ->
        Monitor = monitor(process, Pid),
        receive {'DOWN', Monitor, process, _, _} -> ok end
    end, Killed).

load_file(Module) ->
    case is_sticky(Module) of
        true -> {error, sticky_directory};
        false ->
            case get_object_code(Module) of
                {Module, Binary, File} -> try_load(Module, File, Binary);
                error -> {error, nofile}
            end
    end.

ensure_loaded(Module) when is_atom(Module) ->
    case erlang:module_loaded(Module) of
        true -> {module, Module};
        false -> load_missing(Module)
    end.

load_missing(Module) ->
    case get_object_code(Module) of
        {Module, Binary, File} -> try_load(Module, File, Binary);
        error -> {error, nofile}
    end.

load_abs(File, Module) when is_list(File); is_atom(File) ->
    Name = filename:absname(lists:concat([File, ".beam"])),
    case erl_prim_loader:get_file(Name) of
        {ok, Binary, _} -> load_binary(Module, Name, Binary);
        error -> {error, nofile}
    end;
load_abs(_File, _Module) -> {error, badarg}.

%% Of code:atomic_load/1 and finish_loading/1: all of them or none.
finish_loading(Prepared, EnsureLoaded) ->
    All = [{Module, Binary, File} || {Module, {{'$prepared_code', _, Binary}, File}} <- Prepared],
    Wanted = case EnsureLoaded of
                 true -> [One || {Module, _, _} = One <- All, not erlang:module_loaded(Module)];
                 false -> All
             end,
    case [{Module, sticky_directory} || {Module, _, _} <- Wanted, is_sticky(Module)] of
        [] ->
            case install(Wanted) of
                ok -> ok;
                {What, Modules} -> {error, [{Module, What} || Module <- Modules]}
            end;
        Sticky -> {error, Sticky}
    end.

%% erlang:load_module/2, which purges nothing.
load_module(Module, Binary) ->
    case erlang:prepare_loading(Module, Binary) of
        {error, _} = Error -> Error;
        _Prepared ->
            case prepare(Module, Binary, "") of
                {on_load, _} -> {error, on_load};
                ok ->
                    case install([{Module, Binary, []}]) of
                        ok -> {module, Module};
                        {not_purged, _} -> {error, not_purged}
                    end
            end
    end.

purge(Module) when is_atom(Module) ->
    {WasOld, Killed} = purge_old(Module),
    await_ends(Killed),
    {WasOld, Killed =/= []}.

soft_purge(Module) when is_atom(Module) -> soft_purge_old(Module).

is_loaded(Module) ->
    case loaded_file(Module) of
        undefined ->
            case erlang:module_loaded(Module) of
                true -> {file, where_is(Module)};
                false -> false
            end;
        Other -> Other
    end.

%% ---- What is called and is not there

undefined_function(Module, Function, Arguments) ->
    case ensure_loaded(Module) of
        {module, Module} ->
            case erlang:function_exported(Module, Function, length(Arguments)) of
                true -> apply(Module, Function, Arguments);
                false -> undefined(Module, Function, Arguments)
            end;
        {error, _} -> undefined(Module, Function, Arguments)
    end.

undefined(Module, Function, Arguments) ->
    case erlang:module_loaded(Module) andalso erlang:function_exported(Module, '$handle_undefined_function', 2) of
        true -> Module:'$handle_undefined_function'(Function, Arguments);
        false -> crash({Module, Function, Arguments, []})
    end.

undefined_lambda(Module, Fun, Arguments) ->
    case ensure_loaded(Module) of
        {module, Module} -> apply(Fun, Arguments);
        {error, _} -> crash({Fun, Arguments, []})
    end.

%% The trace is that of the call, without this module.
-spec crash(tuple()) -> no_return().
crash(Call) ->
    {current_stacktrace, Trace} = process_info(self(), current_stacktrace),
    erlang:raise(error, undef, [Call | [Entry || Entry <- Trace, element(1, Entry) =/= ?MODULE]]).

%% ---- Where modules are

path() ->
    case code_path() of
        undefined -> [text(Folder) || Folder <- folders()];
        Path -> Path
    end.

%% In a path that was changed, what is there now; else, and for what was compiled for the search, what was found at the start.
get_object_code(Module) ->
    Found = case code_path() of
                undefined -> error;
                Path -> find_in(Path, Module)
            end,
    case Found =:= error andalso object_code(Module) of
        false -> Found;
        undefined -> error;
        Bytes -> first_code(Module, Bytes, text(locate(Module)))
    end.

first_code(Module, Bytes, File) ->
    Folder = filename:dirname(File),
    case code_path() of
        undefined -> {Module, Bytes, File};
        _ ->
            %% It is in the path no longer.
            case lists:member(Folder, [text(One) || One <- folders()]) of
                true -> error;
                false -> {Module, Bytes, File}
            end
    end.

find_in([Folder | Folders], Module) ->
    File = filename:append(Folder, atom_to_list(Module) ++ ".beam"),
    case erl_prim_loader:get_file(File) of
        {ok, Binary, _} -> {Module, Binary, filename:absname(File)};
        error -> find_in(Folders, Module)
    end;
find_in([], _Module) -> error.

add_path(Where, Folder) when is_atom(Folder) -> add_path(Where, atom_to_list(Folder));
add_path(Where, Folder) when is_list(Folder) ->
    Path = path(),
    Is = [One || One <- Path, absolute(One) =:= absolute(Folder)],
    case Is of
        %% What is found in the path as it was is settled, so a folder that is there stays where it is.
        [_ | _] when Where =:= last -> true;
        _ ->
            case filelib:is_dir(Folder) of
                false -> {error, bad_directory};
                true when Where =:= last -> set_code_path(Path ++ [Folder]), true;
                true when Is =:= [hd(Path)] -> true;
                true -> set_code_path([Folder | Path -- Is]), true
            end
    end;
add_path(_Where, _Other) -> {error, bad_directory}.

add_paths(first, Folders) -> _ = [add_path(first, Folder) || Folder <- lists:reverse(Folders)], ok;
add_paths(last, Folders) -> _ = [add_path(last, Folder) || Folder <- Folders], ok.

set_path(Folders) ->
    case lists:all(fun(Folder) -> (is_list(Folder) orelse is_atom(Folder)) andalso filelib:is_dir(name(Folder)) end, Folders) of
        true -> set_code_path([name(Folder) || Folder <- Folders]), true;
        false -> {error, bad_directory}
    end.

del_path(Name) when is_atom(Name) -> del_path(atom_to_list(Name));
del_path(Name) when is_list(Name) ->
    Path = path(),
    case [Folder || Folder <- Path, is_named(Folder, Name)] of
        [] -> false;
        [Folder | _] -> set_code_path(lists:delete(Folder, Path)), true
    end;
del_path(_) -> {error, bad_name}.

replace_path(Name, Folder) ->
    case filelib:is_dir(name(Folder)) of
        false -> {error, bad_directory};
        true ->
            Path = path(),
            case [One || One <- Path, is_named(One, name(Name))] of
                [] -> set_code_path(Path ++ [name(Folder)]);
                [Old | _] -> set_code_path([if One =:= Old -> name(Folder); true -> One end || One <- Path])
            end,
            true
    end.

%% By its path, or by the application NAME in .../NAME[-VERSION]/ebin.
is_named(Folder, Name) ->
    absolute(Folder) =:= absolute(Name) orelse
        (filename:basename(Folder) =:= "ebin" andalso element(1, name_and_version(filename:dirname(Folder))) =:= Name).

%% Without its last slash and the dots in it.
absolute(Folder) -> filename:join(lists:foldl(fun above/2, [], filename:split(filename:absname(Folder)))).

above(".", Parts) -> Parts;
above("..", [Root]) -> [Root];
above("..", Parts) -> lists:droplast(Parts);
above(Part, Parts) -> Parts ++ [Part].

where_is(Module) ->
    case lists:member(Module, erlang:pre_loaded()) of
        true -> preloaded;
        false -> text(locate(Module))
    end.

%% Of OTP's own folders only; the real one is not sticky for a user's.
is_sticky(Module) ->
    case stickiness(Module) of
        undefined ->
            case locate(Module) of
                undefined -> false;
                Path -> lists:any(fun(App) -> is_below(text(Path), otp_dir(App)) end, ["kernel", "stdlib", "compiler"])
            end;
        Said -> Said
    end.

stick_folder(Folder, IsSticky) ->
    case file:list_dir(Folder) of
        {ok, Names} ->
            lists:foreach(fun(Name) ->
                case filename:extension(Name) of
                    ".beam" -> set_stickiness(list_to_atom(filename:rootname(Name)), IsSticky);
                    _ -> ok
                end
            end, lists:sort(Names));
        {error, _} -> error
    end.

is_below(_Path, {error, _}) -> false;
is_below(Path, Folder) -> lists:prefix(Folder, Path).

%% Where Erlang/OTP has an application, whatever the program's own folders are named.
-spec otp_dir(string()) -> string() | {error, bad_name}.
otp_dir(App) -> lib_dir(App, [text(Folder) || Folder <- folders(), is_below(text(Folder), text(root()))]).

%% App or App-VERSION, as the folder above one of the path, which may be that of sources.
lib_dir(App) -> lib_dir(App, path()).

lib_dir(App, [Folder | Folders]) ->
    Lib = case filename:basename(Folder) of
              Name when Name =:= "ebin"; Name =:= "src" -> filename:dirname(Folder);
              _ -> Folder
          end,
    case name_and_version(Lib) of
        {App, _} -> Lib;
        _ -> lib_dir(App, Folders)
    end;
lib_dir(_App, []) -> {error, bad_name}.

%% What a folder NAME or NAME-VERSION says, the version being empty in the former. (The module string needs Unicode's tables,
%% which are slow to load.)
-spec name_and_version(string()) -> {string(), string()}.
name_and_version(Folder) ->
    {Name, Rest} = lists:splitwith(fun(Character) -> Character =/= $- end, filename:basename(Folder)),
    {Name, lists:nthtail(min(1, length(Rest)), Rest)}.

below({error, _} = Error, _Name) -> Error;
below(Folder, Name) -> filename:join(Folder, Name).

name(App) when is_atom(App) -> atom_to_list(App);
name(App) -> App.

text(Binary) -> unicode:characters_to_list(Binary).

%% ---- Built-ins (src/erlang/bif/code_loading.cc, modules.cc, files.cc)

-spec folders() -> [binary()].
folders() -> erlang:nif_error(undefined).

-spec root() -> binary().
root() -> erlang:nif_error(undefined).

%% The file of a module, also if it was compiled for the search only.
-spec object_code(module()) -> binary() | undefined.
object_code(_Module) -> erlang:nif_error(undefined).

-spec locate(module()) -> binary() | undefined.
locate(_Module) -> erlang:nif_error(undefined).

-spec refuse(string()) -> no_return().
refuse(_Name) -> erlang:nif_error(undefined).

-spec prepare(module(), binary(), term()) -> ok | {on_load, atom()} | {error, badfile}.
prepare(_Module, _Binary, _File) -> erlang:nif_error(undefined).

-spec load(module(), binary(), term()) -> {ok, [pid()]} | {error, badfile}.
load(_Module, _Binary, _File) -> erlang:nif_error(undefined).

-spec install([{module(), binary(), term()}]) -> ok | {not_purged | duplicated, [module()]}.
install(_Modules) -> erlang:nif_error(undefined).

-spec delete(module()) -> boolean() | old_code.
delete(_Module) -> erlang:nif_error(undefined).

-spec purge_old(module()) -> {boolean(), [pid()]}.
purge_old(_Module) -> erlang:nif_error(undefined).

-spec soft_purge_old(module()) -> boolean().
soft_purge_old(_Module) -> erlang:nif_error(undefined).

-spec loaded_file(module()) -> undefined | false | {file, term()}.
loaded_file(_Module) -> erlang:nif_error(undefined).

-spec changed() -> [{module(), boolean()}].
changed() -> erlang:nif_error(undefined).

-spec code_path() -> undefined | [string()].
code_path() -> erlang:nif_error(undefined).

-spec set_code_path([string()]) -> ok.
set_code_path(_Path) -> erlang:nif_error(undefined).

-spec stickiness(module()) -> undefined | boolean().
stickiness(_Module) -> erlang:nif_error(undefined).

-spec set_stickiness(module(), boolean()) -> ok.
set_stickiness(_Module, _IsSticky) -> erlang:nif_error(undefined).

%% What others of these, and of erlang, are for a module whose code several processes have to do with: operations.
-spec check_old_code(module()) -> boolean().
check_old_code(_Module) -> erlang:nif_error(undefined).

-spec function_exported(module(), atom(), arity()) -> boolean().
function_exported(_Module, _Function, _Arity) -> erlang:nif_error(undefined).

-spec get_module_info(module()) -> [{atom(), term()}].
get_module_info(_Module) -> erlang:nif_error(undefined).

-spec get_module_info(module(), atom()) -> term().
get_module_info(_Module, _Key) -> erlang:nif_error(undefined).

-spec module_loaded(module()) -> boolean().
module_loaded(_Module) -> erlang:nif_error(undefined).

-spec watched_code_path(true) -> undefined | [string()].
watched_code_path(_) -> erlang:nif_error(undefined).

-spec watched_loaded_file(module()) -> undefined | false | {file, term()}.
watched_loaded_file(_Module) -> erlang:nif_error(undefined).
