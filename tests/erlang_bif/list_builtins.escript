#!/usr/bin/env escript
%% Prints the built-ins of the emulator that runs this, one MODULE:NAME/ARITY a line, as otp25_builtins.txt and its like hold
%% them:  escript tests/erlang_bif/list_builtins.escript > tests/erlang_bif/otp29_builtins.txt
main([]) ->
    Found = [atom_to_list(Module) ++ ":" ++ atom_to_list(Name) ++ "/" ++ integer_to_list(Arity)
             || Module <- modules(), {Name, Arity} <- exports(Module), erlang:is_builtin(Module, Name, Arity),
                not is_instruction(Module, Name, Arity)],
    [io:put_chars([Line, $\n]) || Line <- lists:usort(Found)],
    ok.

modules() ->
    Files = [File || Folder <- code:get_path(), Folder =/= ".", File <- filelib:wildcard(filename:join(Folder, "*.beam"))],
    lists:usort(erlang:pre_loaded() ++ [list_to_atom(filename:basename(File, ".beam")) || File <- Files]).

exports(Module) ->
    try Module:module_info(exports) catch error:_ -> [] end.

%% Compilers make instructions of these, so nobody calls a function of the emulator.
is_instruction(erlang, apply, 2) -> true;
is_instruction(erlang, apply, 3) -> true;
is_instruction(erlang, yield, 0) -> true;
is_instruction(_, _, _) -> false.
