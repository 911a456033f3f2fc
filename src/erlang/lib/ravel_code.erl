%% What module `code` does here: modules are loaded by the machine, once, and are never replaced. The
%% loader sends calls of the functions of the same names in `code` to these.
-module(ravel_code).

-export([ensure_loaded/1, ensure_modules_loaded/1, load_file/1]).

ensure_loaded(Module) when is_atom(Module) ->
    case erlang:module_loaded(Module) of
        true -> {module, Module};
        false -> {error, nofile}
    end.

ensure_modules_loaded(Modules) ->
    case [{Module, nofile} || Module <- Modules, not erlang:module_loaded(Module)] of
        [] -> ok;
        Missing -> {error, Missing}
    end.

load_file(Module) ->
    ensure_loaded(Module).
