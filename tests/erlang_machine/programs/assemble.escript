#!/usr/bin/env escript
%% Assembles files of BEAM assembly, as erlc does, but without checking them: for instructions that no compiler
%% writes any more.
%% Usage: assemble.escript FOLDER FILE.S...
main([Folder | Files]) ->
    lists:foreach(
      fun(File) ->
              {ok, Terms} = file:consult(File),
              {value, {module, Module}} = lists:keysearch(module, 1, Terms),
              {value, {exports, Exports}} = lists:keysearch(exports, 1, Terms),
              {value, {labels, Labels}} = lists:keysearch(labels, 1, Terms),
              {ok, Beam} = beam_asm:module({Module, Exports, [], functions(Terms), Labels}, [], [], []),
              ok = file:write_file(filename:join(Folder, atom_to_list(Module) ++ ".beam"), Beam)
      end, Files).

functions([{function, Name, Arity, Entry} | Rest]) ->
    {Code, Others} = lists:splitwith(fun(Term) -> not is_head(Term) end, Rest),
    [{function, Name, Arity, Entry, Code} | functions(Others)];
functions([_ | Rest]) -> functions(Rest);
functions([]) -> [].

is_head({function, _, _, _}) -> true;
is_head(_) -> false.
