%% What the code server of OTP would answer: code:call/1 comes here instead of sending it a request.
%%
%% The machine loads each module once, when it is called, and never replaces it; which ones are loaded at a given time
%% says more about earlier executions than about this one. So a module counts as loaded if it can be found, and what
%% would change code or the path is refused.
-module(ravel_code).

-export([call/1]).
-export([folders/0, root/0, locate/1, object_code/1]).  % built-ins
-export([where_is/1, otp_dir/1, name_and_version/1]).

-spec folders() -> [binary()].
folders() -> erlang:nif_error(undefined).

-spec root() -> binary().
root() -> erlang:nif_error(undefined).

%% The file of a module, also if it was compiled for the search only.
-spec object_code(module()) -> binary() | undefined.
object_code(_Module) -> erlang:nif_error(undefined).

-spec locate(module()) -> binary() | undefined.
locate(_Module) -> erlang:nif_error(undefined).

call(get_path) -> path();
call({dir, root_dir}) -> text(root());
call({dir, lib_dir}) -> filename:join(text(root()), "lib");
call({dir, compiler_dir}) -> otp_dir("compiler");
call({dir, {lib_dir, App}}) -> lib_dir(name(App));
call({dir, {lib_dir, App, Sub}}) -> below(lib_dir(name(App)), atom_to_list(Sub));
call({dir, {priv_dir, App}}) -> below(lib_dir(name(App)), "priv");
call({where_is_file, File}) -> code:where_is_file(path(), File);  % since OTP 29
call({is_loaded, Module}) ->
    case erlang:module_loaded(Module) of
        true -> {file, where_is(Module)};
        false -> false
    end;
call(all_loaded) -> [{Module, preloaded} || Module <- erlang:pre_loaded()];
call({is_sticky, Module}) -> is_sticky(Module);
call({get_object_code, Module}) ->
    case object_code(Module) of
        undefined -> error;
        Bytes -> {Module, Bytes, text(locate(Module))}
    end;
call(get_mode) -> interactive;
call({add_path, _Where, Folder}) -> add_path(Folder);
call({add_paths, _Where, Folders}) -> _ = [add_path(Folder) || Folder <- Folders], ok;
call(Request) ->
    Name = if is_tuple(Request) -> element(1, Request); true -> Request end,
    refuse(atom_to_list(Name)).

%% A search loads a module once, from where it was when the search began.
-spec refuse(string()) -> no_return().
refuse(_Name) -> erlang:nif_error(undefined).

%% A folder that is there already stays where it is: which module is found in it was settled before the test.
add_path(Folder) when is_atom(Folder) -> add_path(atom_to_list(Folder));
add_path(Folder) when is_list(Folder) ->
    case lists:member(absolute(Folder), [absolute(Known) || Known <- path()]) of
        true -> true;
        false ->
            case filelib:is_dir(Folder) of
                true -> refuse("add_path");
                false -> {error, bad_directory}
            end
    end;
add_path(_Other) -> {error, bad_directory}.

%% Without its last slash and the dots in it.
absolute(Folder) -> filename:join(lists:foldl(fun above/2, [], filename:split(filename:absname(Folder)))).

above(".", Parts) -> Parts;
above("..", [Root]) -> [Root];
above("..", Parts) -> lists:droplast(Parts);
above(Part, Parts) -> Parts ++ [Part].

path() -> [text(Folder) || Folder <- folders()].

where_is(Module) ->
    case lists:member(Module, erlang:pre_loaded()) of
        true -> preloaded;
        false -> text(locate(Module))
    end.

%% Of OTP's own folders only; the real one is not sticky for a user's.
is_sticky(Module) ->
    erlang:module_loaded(Module) andalso
        case locate(Module) of
            undefined -> false;
            Path -> lists:any(fun(App) -> is_below(text(Path), otp_dir(App)) end, ["kernel", "stdlib", "compiler"])
        end.

is_below(_Path, {error, _}) -> false;
is_below(Path, Folder) -> lists:prefix(Folder, Path).

%% Where Erlang/OTP has an application, whatever the program's own folders are named.
-spec otp_dir(string()) -> string() | {error, bad_name}.
otp_dir(App) -> lib_dir(App, [Folder || Folder <- path(), is_below(Folder, text(root()))]).

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
