%% Functions of OTP that depend on its code server and on how the emulator was started, as they are here. The
%% machine's loader puts these in the place of the functions of the same names and arities (loader.cc).
-module(ravel_otp).

-export([ensure_loaded/1, ensure_modules_loaded/1, load_file/1]). % code
-export([configurable/0, keywords/0, keywords/1]). % erl_features
-export([unique_integer/1]). % a built-in

%% The monotonic ones of erlang:unique_integer/1, which alone are an operation.
-spec unique_integer([monotonic | positive]) -> pos_integer().
unique_integer(_Modifiers) -> erlang:nif_error(undefined).

%% Modules are loaded by the machine, once, and are never replaced.

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

%% The experimental features of OTP 25. None is enabled, so there are no further keywords.
configurable() ->
    [maybe_expr].

keywords(maybe_expr) ->
    ['maybe', 'else'].

keywords() ->
    [].
