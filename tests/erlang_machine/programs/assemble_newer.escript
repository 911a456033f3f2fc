#!/usr/bin/env escript
%% Makes the files that newer releases of Erlang/OTP write, of what the installed compiler writes: its instructions are
%% rewritten to those of OTP 26 to 28 (bs_match, min and max as guard functions, executable_line, debug_line), and the
%% chunks are in the form of OTP 28 (long atoms, literals that are not compressed, flags of lines, unknown types).
%% FILE.S may also contain the newer instructions themselves.
%% Usage: assemble_newer.escript FOLDER FILE.erl|FILE.S...
-mode(compile).
main([Folder | Files]) ->
    teach_newer_opcodes(),
    lists:foreach(
      fun(File) ->
              Code = code(File),
              Place = tuple_size(Code) - 1,
              Newer = [{function, N, A, E, newer(Is)} || {function, N, A, E, Is} <- element(Place, Code)],
              {ok, Beam} = beam_asm:module(setelement(Place, Code, Newer), [], [], []),
              ok = file:write_file(filename:join(Folder, atom_to_list(element(1, Code)) ++ ".beam"), newer_chunks(Beam))
      end, Files).

%% beam_asm asks beam_opcodes for the numbers of instructions.
teach_newer_opcodes() ->
    Older = [{beam_opcodes:opname(N), N} || N <- lists:seq(1, 180)],
    All = Older ++ [{{update_record, 5}, 181}, {{bs_match, 3}, 182}, {{executable_line, 2}, 183}, {{debug_line, 4}, 184},
                    {{bif3, 6}, 185}, {{is_any_native_record, 2}, 186}, {{is_native_record, 4}, 187},
                    {{get_record_elements, 3}, 188}, {{put_record, 6}, 189}, {{is_record_accessible, 3}, 190},
                    {{get_record_field, 5}, 191}],
    Clauses = [{clause, 1, [{atom, 1, Name}, {integer, 1, Arity}], [], [{integer, 1, N}]} || {{Name, Arity}, N} <- All],
    Forms = [{attribute, 1, module, beam_opcodes},
             {attribute, 1, export, [{opcode, 2}, {format_number, 0}]},
             {function, 1, format_number, 0, [{clause, 1, [], [], [{integer, 1, 0}]}]},
             {function, 1, opcode, 2, Clauses}],
    {ok, beam_opcodes, Binary} = compile:forms(Forms),
    code:unstick_dir(filename:dirname(code:which(beam_opcodes))),
    {module, _} = code:load_binary(beam_opcodes, "beam_opcodes.erl", Binary).

%% As beam_asm takes it: the module, its exports, attributes, since OTP 29 annotations, functions, and how many labels there are.
code(File) ->
    case filename:extension(File) of
        ".S" ->
            {ok, Terms} = file:consult(File),
            {value, {module, Module}} = lists:keysearch(module, 1, Terms),
            {value, {exports, Exports}} = lists:keysearch(exports, 1, Terms),
            {value, {labels, Labels}} = lists:keysearch(labels, 1, Terms),
            {ok, _, Empty} = compile:forms([{attribute, 1, module, Module}], [to_asm, binary]),
            Annotations = [#{} || tuple_size(Empty) =:= 6],
            list_to_tuple([Module, Exports, []] ++ Annotations ++ [functions(Terms), Labels]);
        ".erl" ->
            {ok, _, Listing} = compile:file(File, [to_asm, binary, report, {i, filename:dirname(File)}]),
            {ok, Code} = beam_z:module(Listing, []),
            Code
    end.

functions([{function, Name, Arity, Entry} | Rest]) ->
    {Code, Others} = lists:splitwith(fun(Term) -> not is_head(Term) end, Rest),
    [{function, Name, Arity, Entry, Code} | functions(Others)];
functions([_ | Rest]) -> functions(Rest);
functions([]) -> [].

is_head({function, _, _, _}) -> true;
is_head(_) -> false.

newer([{bs_get_integer2, Fail, Ctx, Live, {integer, Size}, Unit, {field_flags, Flags}, To} | Rest]) ->
    newer([{bs_get_integer2, Fail, Ctx, Live, {integer, Size}, Unit, Flags, To} | Rest]);
newer([{bs_get_integer2, Fail, Ctx, Live, {integer, Size}, Unit, Flags, To} | Rest]) ->
    [match(Fail, Ctx, [{ensure_at_least, Size * Unit, 1}, {integer, Live, flags(Flags), Size, Unit, To}]) | newer(Rest)];
newer([{bs_get_binary2, Fail, Ctx, Live, {integer, Size}, Unit, Flags, To} | Rest]) ->
    [match(Fail, Ctx, [{ensure_at_least, Size * Unit, 1}, {binary, Live, flags(Flags), Size, Unit, To}]) | newer(Rest)];
newer([{bs_get_binary2, Fail, Ctx, Live, {atom, all}, Unit, _, To} | Rest]) ->
    [match(Fail, Ctx, [{ensure_at_least, 0, Unit}, {get_tail, Live, Unit, To}]) | newer(Rest)];
newer([{bs_skip_bits2, Fail, Ctx, {integer, Size}, Unit, _} | Rest]) ->
    [match(Fail, Ctx, [{ensure_at_least, Size * Unit, 1}, {skip, Size * Unit}]) | newer(Rest)];
newer([{bs_test_tail2, Fail, Ctx, Bits} | Rest]) ->
    [match(Fail, Ctx, [{ensure_exactly, Bits}]) | newer(Rest)];
newer([{bs_test_unit, Fail, Ctx, Unit} | Rest]) ->
    [match(Fail, Ctx, [{ensure_at_least, 0, Unit}]) | newer(Rest)];
newer([{bs_match_string, Fail, Ctx, Bits, {string, String}} | Rest]) ->
    <<Value:Bits/bitstring, _/bitstring>> = iolist_to_binary([String]),
    [match(Fail, Ctx, [{ensure_at_least, Bits, 1} | equal(Value)]) | newer(Rest)];
newer([{line, _} = Line, {func_info, _, _, _} = Head | Rest]) -> [Line, Head | newer(Rest)];
newer([{line, _} = Line | Rest]) ->
    [Line, {debug_line, {atom, entry}, 0, 1, 0}, {executable_line, 0, 1} | newer(Rest)];
newer([{test, Name, Fail, Operands} | Rest]) ->
    newer([list_to_tuple([Name, Fail | Operands]) | Rest]);
newer([{bs_match, Fail, Ctx, {commands, Commands}} | Rest]) -> [match(Fail, Ctx, Commands) | newer(Rest)];
newer([{bif, Name, Fail, [A, B, C], To} | Rest]) ->
    [{bif3, Fail, {extfunc, erlang, Name, 3}, A, B, C, To} | newer(Rest)];
newer([{call_ext, 2, {extfunc, erlang, Name, 2}} | Rest]) when Name =:= min; Name =:= max ->
    [{bif, Name, {f, 0}, [{x, 0}, {x, 1}], {x, 0}} | newer(Rest)];
newer([Instruction | Rest]) -> [Instruction | newer(Rest)];
newer([]) -> [].

match(Fail, Ctx, Commands) -> {bs_match, Fail, Ctx, {list, lists:flatmap(fun command/1, Commands)}}.

command(Command) ->
    [Name | Operands] = tuple_to_list(Command),
    [{atom, Name} | Operands].

flags({field_flags, Flags}) -> flags(Flags);
flags(Number) when is_integer(Number) ->
    {literal, [little || Number band 2 =/= 0] ++ [signed || Number band 4 =/= 0] ++ [native || Number band 16 =/= 0]};
flags(Flags) -> {literal, [Flag || Flag <- Flags, lists:member(Flag, [little, signed, native])]}.

%% At most 31 bits at a time, as the compiler does it.
equal(<<>>) -> [];
equal(<<Value:31, Rest/bitstring>>) -> [{'=:=', nil, 31, Value} | equal(Rest)];
equal(Bits) ->
    Size = bit_size(Bits),
    <<Value:Size>> = Bits,
    [{'=:=', nil, Size, Value}].

newer_chunks(Beam) ->
    {ok, _, Chunks} = beam_lib:all_chunks(Beam),
    {ok, Newer} = beam_lib:build_module([{Name, iolist_to_binary(newer_chunk(Name, Data))} || {Name, Data} <- Chunks]),
    Newer.

newer_chunk("AtU8", <<Count:32/signed, Atoms/binary>>) when Count > 0 -> [<<(-Count):32/signed>>, long_atoms(Count, Atoms)];
newer_chunk("LitT", <<Size:32, Packed/binary>>) when Size > 0 -> [<<0:32>>, zlib:uncompress(Packed)];
newer_chunk("Line", <<0:32, _Flags:32, Rest/binary>>) -> <<0:32, 3:32, Rest/binary>>;
newer_chunk("Type", _) -> <<4:32, "not for this reader">>;
newer_chunk(_, Data) -> Data.

long_atoms(0, _) -> [];
long_atoms(Count, <<Size, Name:Size/binary, Rest/binary>>) ->
    Length = if
                 Size < 16 -> <<Size:4, 0:4>>;
                 true -> <<0:3, 8:5, Size>>
             end,
    [Length, Name | long_atoms(Count - 1, Rest)].
