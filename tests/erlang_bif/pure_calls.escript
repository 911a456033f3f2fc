#!/usr/bin/env escript
%% Calls built-ins of lists, tuples, atoms, terms, the external format, match specifications, packets and dates
%% of this Erlang, chosen and random, and prints what came out, for pure_calls_test.cc to compare.
%% Usage: pure_calls.escript SEED COUNT
%%
%% Each call is a piece of 4 bytes length and the external format of {Module, Function, Arguments, Outcome}, where
%% Outcome is the external format of {ok, Result} or {Class, Reason}.
-mode(compile).

main([Seed, Count]) ->
    ok = io:setopts([{encoding, latin1}]),
    rand:seed(exsss, list_to_integer(Seed)),
    [print_call(C) || C <- chosen_calls()],
    [print_call(random_call()) || _ <- lists:seq(1, list_to_integer(Count))].

print_call({M, F, A}) ->
    Outcome = try apply(M, F, A) of R -> {ok, R} catch C:E -> {C, E} end,
    Piece = term_to_binary({M, F, A, term_to_binary(Outcome)}),
    io:put_chars([binary_to_list(<<(byte_size(Piece)):32>>), binary_to_list(Piece)]).

pick(L) -> lists:nth(rand:uniform(length(L)), L).

chosen_calls() ->
    list_calls() ++ tuple_calls() ++ atom_calls() ++ term_calls() ++ format_calls() ++ match_calls() ++ packet_calls()
        ++ date_calls().

list_calls() ->
    Big = 1 bsl 70,
    [{erlang, F, A} || F <- ['++', '--', append, subtract],
                       A <- [[[1 | 2], []], [a, []], [[], a], [[1 | 2], [3]], [[1], a], [[1, 2 | 3], []], [[], [a | b]],
                             [[], []], [[1, 2, 1.0, 2, 3], [1.0, 2]], [[0.0], [-0.0]], [[1, 2 | 3], [1]], ["abc", "b"],
                             [lists:seq(1, 50) ++ [x, 3], lists:seq(3, 40)], [[{1, a}, {1.0, a}], [{1.0, a}]]]] ++
    [{erlang, F, [A]} || F <- [length, hd, tl], A <- [[], [1], [1, 2 | 3], "abc", a, {}, [a | b]]] ++
    [{lists, F, [K, N, L]} || F <- [keyfind, keymember, keysearch], K <- [1, 1.0, a, Big, {1}, <<"x">>], N <- [0, 1, 2, a, Big],
                              L <- [[], [{a, 1.0}, {1, b}, {<<"x">>, {1.0}}, {float(Big), {1}}], [a, {}, {1} | x], x, [{1}, {a}]]] ++
    [{lists, member, [K, L]} || K <- [1, 1.0, 0.0, [1], Big], L <- [[1.0, 1], [-0.0], [2 | 1], [[1], [1.0]], a, [], [float(Big), Big]]] ++
    [{lists, reverse, [A, B]} || A <- [[], [1], [1, 2], [1 | 2], a], B <- [[], [x], a]].

tuple_calls() ->
    Indices = [-1, 0, 1, 2, 3, 4, 1.0, a, 1 bsl 70],
    Tuples = [{}, {a}, {a, b}, a, [a]],
    [{erlang, element, [I, T]} || I <- Indices, T <- Tuples] ++
    [{erlang, setelement, [I, T, x]} || I <- Indices, T <- Tuples] ++
    [{erlang, insert_element, [I, T, x]} || I <- Indices, T <- Tuples] ++
    [{erlang, delete_element, [I, T]} || I <- Indices, T <- Tuples] ++
    [{erlang, append_element, [T, x]} || T <- Tuples] ++
    [{erlang, F, [T]} || F <- [tuple_size, tuple_to_list, list_to_tuple], T <- Tuples ++ [[], [a | b], [a, b, c]]] ++
    [{erlang, make_tuple, [N, x]} || N <- [-1, 0, 1, 3, a, 1.0, 1 bsl 24, 1 bsl 70]] ++
    [{erlang, make_tuple, [3, x, L]} || L <- [[], [{1, a}, {3, c}], [{1, a}, {1, b}], [{4, a}], [{0, a}], [{1, a} | b], [{1, a, 2}], [a], a]].

atom_calls() ->
    L = list_to_atom([955]),
    E = list_to_atom([233]),
    Long = lists:duplicate(255, 955),
    Texts = [[], "abc", [233], [955], [16#D800], [16#10FFFF], [16#110000], [-1], [a], a, [$a | b], Long, [955 | Long], [955 | Long] ++ [a],
             Long ++ [a], Long ++ a, [955 | Long] ++ a],
    Binaries = [<<>>, <<"abc">>, <<255>>, <<195, 169>>, <<206, 187>>, <<237, 160, 128>>, <<1:1>>, a, binary:copy(<<$a>>, 255),
                binary:copy(<<$a>>, 256), binary:copy(<<255>>, 256), unicode:characters_to_binary(Long),
                unicode:characters_to_binary([955 | Long])],
    Encodings = [latin1, utf8, unicode, foo, 1],
    [{erlang, atom_to_list, [A]} || A <- [abc, '', L, E, 1, "a"]] ++
    [{erlang, atom_to_binary, [A, C]} || A <- [abc, '', L, E, 1], C <- Encodings] ++
    [{erlang, F, [T]} || F <- [list_to_atom, list_to_existing_atom], T <- Texts] ++
    [{erlang, F, [B, C]} || F <- [binary_to_atom, binary_to_existing_atom], B <- Binaries, C <- Encodings].

samples() ->
    [0, 1, 1.0, -0.0, 0.0, 1 bsl 70, -(1 bsl 70), float(1 bsl 70), a, b, true, false, fun lists:map/2, fun lists:map/3, {}, {a}, {a, 1},
     {a, 1.0}, #{}, #{a => 1}, #{a => 1.0}, #{1 => a}, #{1.0 => a}, [], [1], [1.0], "abc", [a | b], <<>>, <<"abc">>, <<"ab">>, <<1:3>>,
     <<255:8, 1:1>>].

term_calls() ->
    [{erlang, F, [T]} || F <- [is_atom, is_binary, is_bitstring, is_boolean, is_float, is_function, is_integer, is_list, is_map, is_number,
                               is_pid, is_port, is_reference, is_tuple, 'not'], T <- samples()] ++
    [{erlang, F, [A, B]} || F <- ['<', '=<', '>', '>=', '==', '/=', '=:=', '=/=', 'and', 'or', 'xor'], A <- samples(), B <- samples()] ++
    [{erlang, is_function, [F, A]} || F <- [a, fun lists:map/2], A <- [2, 3, -1, a, 1 bsl 70, -(1 bsl 70), 2.0]] ++
    [{erlang, is_record, [T, N]} || T <- [{}, {a}, {1}, a, {a, 1}], N <- [a, 1, "a"]] ++
    [{erlang, is_record, [T, N, S]} || T <- [{}, {a}, {a, 1}, a], N <- [a, 1], S <- [0, 1, 2, -1, a, 1 bsl 70]] ++
    [{erlang, F, [A]} || F <- [error, exit, throw], A <- [a, {b, 1}]] ++
    [{erlang, error, [a, A]} || A <- [[], [1], none]] ++
    [{erlang, error, [a, [1], O]} || O <- [[], [{error_info, #{cause => b}}], [a], a, [{error_info, x}]]] ++
    [{erlang, raise, [C, a, S]} || C <- [error, exit, throw, other], S <- [[], a, [a], [{m, f, 1}], [{m, f, [1], []}], [{m, f, [1], a}],
                                                                          [{fun lists:map/2, []}], [{m, f, 1} | b], [{1, 2}]]] ++
    [{erlang, make_fun, [M, F, A]} || M <- [lists, 1], F <- [map, "map"], A <- [0, 2, 255, 256, -1, a]] ++
    [{erlang, fun_info, [fun lists:map/2, I]} || I <- [type, module, name, arity, env, index, new_index, uniq, new_uniq, pid, refc, foo]] ++
    [{erlang, F, [A]} || F <- [fun_info_mfa, fun_to_list], A <- [fun lists:map/2, a]] ++
    [{erlang, node, [A]} || A <- [a, 1]] ++ [{erlang, node, []}].

format_terms() ->
    [abc, '', list_to_atom([233]), list_to_atom([955]), list_to_atom(lists:duplicate(255, 955)), list_to_atom(lists:duplicate(255, 233)),
     lists:duplicate(65535, $a), lists:duplicate(65536, $a), [1, 2 | 3], [1, 256], lists:seq(1, 300), list_to_tuple(lists:seq(1, 255)),
     list_to_tuple(lists:seq(1, 256)), maps:from_list([{I, {I}} || I <- lists:seq(1, 100)]), maps:from_list([{{I}, -I} || I <- lists:seq(1, 32)]),
     #{#{a => 1} => #{}, 1 => x, 1.0 => y}, 255, 256, -1, 1 bsl 31, (1 bsl 31) - 1, -(1 bsl 31), -(1 bsl 31) - 1, 1 bsl 59, -(1 bsl 59),
     (1 bsl 59) - 1, 1 bsl 63, 1 bsl 64, -(1 bsl 64), 1 bsl 2039, 1 bsl 2040, -(1 bsl 5000), 1.5e300, -0.0, <<1:1>>, <<"abc", 5:3>>,
     binary:copy(<<"abc">>, 1000), fun lists:map/2, fun 'A b':c/0, {a, [b, #{c => <<"d">>}]}].

format_calls() ->
    Damaged = [<<>>, <<131>>, <<130, 97, 1>>, <<131, 97>>, <<131, 97, 1, 0>>, <<131, 108, 255, 255, 255, 255>>, <<131, 105, 255, 255, 255, 255>>,
               <<131, 116, 255, 255, 255, 255>>, <<131, 109, 255, 255, 255, 255>>, <<131, 111, 255, 255, 255, 255, 0>>, <<131, 110, 3, 0, 0, 0, 0>>,
               <<131, 110, 0, 0>>, <<131, 111, 0, 0, 0, 2, 1, 5, 0>>, <<131, 108, 0, 0, 0, 0, 97, 5>>, <<131, 108, 0, 0, 0, 1, 97, 1, 97, 2>>,
               <<131, 107, 0, 0>>, <<131, 70, 127, 240, 0:48>>, <<131, 70, 0:64>>, <<131, 99, "1.50000000000000000000e+00", 0:40>>,
               <<131, 99, "15", 0:232>>, <<131, 77, 0, 0, 0, 1, 3, 255>>, <<131, 77, 0, 0, 0, 1, 0, 255>>, <<131, 77, 0, 0, 0, 0, 0>>,
               <<131, 77, 0, 0, 0, 1, 8, 255>>, <<131, 77, 0, 0, 0, 1, 9, 255>>, <<131, 115, 1, 233>>, <<131, 119, 1, 233>>, <<131, 119, 2, 195, 169>>,
               <<131, 118, 0, 2, 195, 169>>, <<131, 118, 1, 0, (binary:copy(<<$a>>, 256))/binary>>, <<131, 100, 1, 0, (binary:copy(<<$a>>, 256))/binary>>,
               <<131, 116, 0, 0, 0, 2, 97, 1, 97, 2, 97, 1, 97, 3>>, <<131, 113, 119, 1, $a, 119, 1, $b, 97, 2>>, <<131, 113, 119, 1, $a, 119, 1, $b, 98, -1:32>>,
               <<131, 104, 2, 97, 1>>, <<131, 105, 0, 0, 0, 0>>, <<131, 80, 0, 0, 0, 5, 1, 2, 3>>, <<131, 80>>, <<131, 117, 0, 0, 0, 0>>, <<131, 68, 0>>,
               compressed(term_to_binary("abcabcabcabcabc"), 0), compressed(term_to_binary("abcabcabcabcabc"), 1), compressed(term_to_binary("abcabc"), -1),
               <<(compressed(term_to_binary(abc), 0))/binary, 1, 2, 3>>, <<1:1>>, a],
    [{erlang, term_to_binary, [T]} || T <- format_terms()] ++
    [{erlang, term_to_binary, [T, O]} || T <- format_terms(), O <- [[{minor_version, 0}], [{minor_version, 1}], [{minor_version, 2}], [compressed],
                                                                    [{compressed, 1}], [{compressed, 9}, {minor_version, 2}], [deterministic]]] ++
    [{erlang, term_to_binary, [a, O]} || O <- [[], a, [a], [{compressed, 10}], [{minor_version, 3}], [compressed | a], [{compressed, a}]]] ++
    [{erlang, external_size, [T]} || T <- format_terms()] ++
    [{erlang, external_size, [1.5, O]} || O <- [[], [{minor_version, 0}], [{minor_version, 1}], [{minor_version, 2}], a, [compressed]]] ++
    [{erlang, binary_to_term, [B]} || B <- Damaged] ++
    %% With `safe` the emulator also refuses a fun of a module that does not export it; we do not.
    [{erlang, binary_to_term, [B, O]} || B <- Damaged, O <- [[used], [safe], [safe, used], [a], [used | a]],
                                         not (hd(O) =:= safe andalso is_export(B))].

is_export(<<131, 113, _/binary>>) -> true;
is_export(_) -> false.

%% With a wrong size, if one is added.
compressed(<<131, Payload/binary>>, Wrong) ->
    <<131, 80, (byte_size(Payload) + Wrong):32, (zlib:compress(Payload))/binary>>.

match_calls() ->
    B = fun(Body) -> [{{'$1', '$2'}, [], [Body]}] end,
    G = fun(Guard) -> [{{'$1', '$2'}, [Guard], [yes]}, {'_', [], [no]}] end,
    [{erlang, match_spec_test, [{a, 1}, S, table]} || S <-
        [B(E) || E <- [#{{{'$1'}} => {{b}}}, #{{{a}} => {{b}}}, #{{const, a} => {const, b}}, {{a, {const, {{b}}}}}, [a, {{b}} | {const, c}], {a, b}, '$$', '$_',
                       {element, 5, '$_'}, {{x, {element, 5, '$_'}}}, {'and', true, 1}, {'andalso', true, 1}, {'andalso', true}, {'orelse', 1, true},
                       {'orelse', false, x}, {'and'}, {'or'}, {'andalso'}, {'orelse'}, {const}, {const, a, b}, {self, a}, {message, a}, {return_trace},
                       {exception_trace}, {caller}, {is_seq_trace}, {get_tcw}, {set_tcw, 1}, ['$1' | '$2'], "abc", {{}}, {}, {1}, {{{'$1'}}},
                       {'+', '$2', 1}, {'-', '$2'}, {is_record, '$_', a, 2}, {is_record, '$_', a}, {map_get, a, #{a => '$2'}}, {'div', 1, 0}, '$3', '_', 'x',
                       {tuple_size, '$_'}, {size, '$_'}, {node}, {node, a}, {hd, '$1'}, {'not', '$1'}, {binary_part, <<"abc">>, 1, 1}, #{}, <<"x">>, 1.5,
                       maps:from_list([{I, '$1'} || I <- lists:seq(1, 40)])]] ++
        [G(E) || E <- [true, '$1', '$2', {element, 5, '$_'}, {'>', '$2', 0}, {'and', {is_atom, '$1'}, {is_integer, '$2'}}, {'or', false, {'==', '$2', 1.0}},
                       {'=:=', '$2', 1.0}, {'andalso', false, {element, 9, '$_'}}, {'or', true, {element, 9, '$_'}}, {'orelse', x, true}, {foo, 1},
                       {is_map_key, a, #{a => 1}}, {'xor', true, false}, {'bnot', 1}, {'/', '$2', 2}, {length, [1, 2]}, {'$1', a}, {message, a}]] ++
        [[], foo, [a], [a | b], [{{'$1', '$2'}, [], []}], [{{'$1', '$2'}, [], a}], [{{'$1', '$2'}, a, [a]}], [{{'$1', '$2'}, [a | b], [a]}],
         [{{'$1', '$2'}, [], [a | b]}], [{{'$1', '$2'}, [{'>', '$3', 1}], ['$4']}], [{{'$2', '$1'}, [], ['$$']}], [{{'$2', '$1000000'}, [], ['$$']}],
         [{{'$2', '$1000000'}, [], ['$3', '$1000001']}], [{{'$1', '$1'}, [], ['$1']}, {{'$0', '_'}, [], ['$0']}], [{'$1', [], ['$1']}],
         [{{'$01', '_'}, [], ['$1']}], [{{a, 1.0}, [], [x]}], [{{a, 1}, [], [x, y]}], [{{a, '$1', '$2'}, [], [x]}], [{['$1' | '$2'], [], [x]}]]] ++
    [{erlang, match_spec_test, [T, S, table]} || T <- [#{a => 1, b => 2}, [1, 2, 3], {1, {2, [3 | 4]}, "abc"}, {0.0, -0.0, 1 bsl 70, <<"ab">>}],
        S <- [[{P, [], ['$$']}] || P <- [#{}, #{a => '$1'}, #{a => '$1', b => '$1'}, #{c => '_'}, #{'$1' => 1}, #{'_' => 1}, ['$1' | '$2'], [1, '$1', 3], ['_'],
                                         {1, {'$1', ['$2' | 4]}, '$3'}, {'_', {2, '$1'}, [97 | '_']}, {0.0, '_', '_', '_'}, {-0.0, '_', '_', '_'},
                                         {'_', 0.0, '$2', '$1'}, {'$1', '$1', '_', '_'}, {'_', '_', 1 bsl 70, <<"ab">>}]]] ++
    [{erlang, match_spec_test, [[a, 1], S, trace]} || S <-
        [[{['$1', '$2'], [], [{message, '$2'}, {return_trace}]}], [{['$1', '$2'], [{message, a}], []}], [{['$1', '$2'], [], []}],
         [{{'$1', '$2'}, [], [{message, '$_'}]}], [{'$1', [], [{message, '$1'}]}], [{'$1', [], [{message, '$_'}]}],
         [{'_', [], [{message, '$$'}, {exception_trace}]}], [{a, [], []}], [{#{}, [], []}], [{['$1'], [], []}], [{['$1' | b], [], []}],
         [{'_', [], [{message, false}]}], [{'_', [], [{message, {set_tcw, 5}}]}], [{'_', [], [{message, {get_seq_token}}]}],
         [{'_', [], [{message, {caller}}]}], [{'_', [], [{message, {silent, true}}]}], [{'_', [], [{return_trace, 1}]}], [{'_', [], [{message}]}],
         [{'_', [], [{display}]}], [{'_', [{is_seq_trace}], [{message, x}]}], [{'_', [{get_tcw}], []}], [{[], [], []}], []]] ++
    [{erlang, match_spec_test, [A, [{'_', [], [x]}], D]} || A <- [a, [], [a | b]], D <- [table, trace, foo]].

packet_calls() ->
    Texts = [<<>>, <<"a">>, <<1, 2, 3>>, <<0, 2, "abc">>, <<0, 0, 0, 2, "abc">>, <<255, 255, 255, 255, 1>>, <<128, 0, 0, 1, "ab">>, <<"abc\ndef">>,
             <<"abc">>, <<"\r\n">>, <<"\n">>, <<"ab\r\ncd">>, <<3, 0, 0, 6, "abc">>, <<3, 0, 0, 2, "abc">>, <<3, 0, 0, 100, "abc">>,
             <<16#30, 3, "abcdef">>, <<16#3F, 16#81, 1, 2, "abcdef">>, <<16#30, 16#81, 3, "abcdef">>, <<16#30, 16#85, 3, "abcdef">>, <<16#30, 16#80, "ab">>,
             <<16#3F, 16#81>>, <<"GIOP", 1, 0, 0, 0, 3:32, "abcdef">>, <<"GIOP", 1, 0, 1, 0, 3:32/little, "abcdef">>, <<"GIOQ", 0:100/unit:8>>,
             <<1, 6, 0, 1, 0, 3, 2, 0, "abcppxyz">>, <<2, 6, 0, 1, 0, 3, 2, 0, "abcppxyz">>, <<22, 3, 1, 0, 3, "abcdef">>, <<128, 6, 1, 3, 1, "abcdef">>,
             <<128, 1, 1, 3, 1>>, <<"abc", 0, "def">>],
    Http = [<<"GET / HTTP/1.1\r\nHost: x\r\n\r\n">>, <<"GET /a/b?c=d HTTP/1.0\r\n">>, <<"GET http://host:80/path HTTP/1.1\r\n">>,
            <<"GET HTTPS://host/path HTTP/1.1\r\n">>, <<"GET http://host HTTP/1.1\r\n">>, <<"GET http://host:x/ HTTP/1.1\r\n">>, <<"GET * HTTP/1.1\n">>,
            <<"FOO bar HTTP/1.1\r\n">>, <<"GET mailto:x HTTP/1.1\r\n">>, <<"GET x HTTP/1\r\n">>, <<"GET x\r\n">>, <<"GET\r\n">>, <<"GET x FOO\r\n">>,
            <<"HTTP/1.1 200 OK\r\nx">>, <<"HTTP/1.1 404\r\n">>, <<"HTTP/1.0 200 Fine with  blanks \r\n">>, <<"HTTP/1 200 OK\r\n">>, <<"HTTP/a.1 200 OK\r\n">>,
            <<"HTTP/1.1 abc\r\n">>, <<"Content-Length: 5\r\nX">>, <<"content-length:5\r\n\r\n">>, <<"x-foo-BAR:  a b \r\n c\r\nd">>, <<"Host: x\r\n">>,
            <<"no colon\r\nx">>, <<": x\r\ny">>, <<"Host x: y\r\nz">>, <<(binary:copy(<<"A-b">>, 20))/binary, ": x\r\ny">>, <<"Set-Cookie: a=b\n\n">>, <<"\r\nabc">>,
            <<"Host", 127, ": x\r\ny">>, <<"GET x y HTTP/1.1\r\n">>, <<"GET  /x   HTTP/12.34  \r\n">>, <<"Host:\r\nx">>],
    [{erlang, decode_packet, [T, D, O]} || T <- [raw, 0, 1, 2, 4, asn1, sunrm, cdr, fcgi, line, tpkt, ssl_tls], D <- Texts,
                                           O <- [[], [{packet_size, 2}], [{packet_size, 6}], [{line_length, 3}]]] ++
    [{erlang, decode_packet, [T, D, O]} || T <- [http, httph, http_bin, httph_bin], D <- Http ++ Texts, O <- [[], [{packet_size, 10}], [{line_length, 30}]]] ++
    [{erlang, decode_packet, [line, <<"abc;def">>, O]} || O <- [[{line_delimiter, $;}], [{line_delimiter, 256}], [{packet_size, -1}], [a], [{packet_size, 1 bsl 32}]]] ++
    [{erlang, decode_packet, A} || A <- [[foo, <<>>, []], [3, <<>>, []], [raw, a, []], [raw, <<1:1>>, []], [raw, <<>>, a], [1, <<1, 2>>, [{line_delimiter, $;}]]]].

date_calls() ->
    [{erlang, posixtime_to_universaltime, [S]} || S <- [0, 1, -1, 1700000000, 951782400, 951868800, -2208988800, 253402300799, -62167219200, 1 bsl 62, a, 1.0]] ++
    [{erlang, universaltime_to_posixtime, [T]} || T <- [{{1970, 1, 1}, {0, 0, 0}}, {{2000, 2, 29}, {23, 59, 59}}, {{2001, 2, 29}, {0, 0, 0}}, {{1600, 1, 1}, {0, 0, 0}},
                                                       {{1599, 12, 31}, {0, 0, 0}}, {{2023, 11, 14}, {22, 13, 20}}, {{2023, 13, 1}, {0, 0, 0}}, {{2023, 1, 32}, {0, 0, 0}},
                                                       {{2023, 1, 1}, {24, 0, 0}}, {{2023, 1, 1}, {0, 60, 0}}, {{2023, 1, 1}, {0, 0, 60}}, {{2023, 1}, {0, 0, 0}}, a,
                                                       {{2100, 3, 1}, {1, 2, 3}}, {{2023, 1.0, 1}, {0, 0, 0}}]].

random_call() ->
    case rand:uniform(8) of
        1 -> {erlang, pick(['--', '++']), [list(40), list(40)]};
        2 -> {lists, pick([keyfind, keymember, keysearch]), [small(), rand:uniform(3), [list_to_tuple(list(3)) || _ <- list(6)]]};
        3 -> {lists, member, [term(2), list(8)]};
        4 -> {erlang, pick(['<', '=<', '==', '=:=', '>=']), [term(3), term(3)]};
        5 -> {erlang, term_to_binary, [term(5), pick([[], [compressed], [{minor_version, 2}], [deterministic]])]};
        6 -> {erlang, binary_to_term, [damage(term_to_binary(term(4))), [used]]};
        7 -> {erlang, external_size, [term(5)]};
        8 -> {erlang, match_spec_test, [term(3), [{pattern(3), [], ['$$']}, {'_', [], ['$_']}], table]}
    end.

small() -> pick([0, 1, 2, 3, 1.0, 2.0, 0.0, -0.0, a, b, c, [], {}, <<"a">>, 1 bsl 64]).
list(Max) -> [small() || _ <- lists:seq(1, rand:uniform(Max + 1) - 1)].

%% The order of atoms as keys depends on what an emulator of OTP 26 or later has loaded, so a map has one at most.
key(D) ->
    case term(D) of
        A when is_atom(A) -> a;
        K -> K
    end.

term(0) -> small();
term(D) ->
    case rand:uniform(10) of
        1 -> list_to_tuple([term(D - 1) || _ <- list(4)]);
        2 -> [term(D - 1) || _ <- list(4)];
        3 -> [term(D - 1) | term(D - 1)];
        4 -> maps:from_list([{key(D - 1), term(D - 1)} || _ <- list(5)]);
        5 -> %% the order of a large map depends on the hash of its keys, which is fixed for all but atoms
             maps:from_list([{pick([I, {I}, [I], <<I>>, I + 0.5, I bsl 70]), term(D - 1)} || I <- lists:seq(1, 25 + rand:uniform(20))]);
        6 -> <<(rand:uniform(256) - 1), (rand:uniform(1 bsl 20)):(rand:uniform(20))>>;
        7 -> (rand:uniform(1 bsl 62) - (1 bsl 61)) bsl (rand:uniform(80) - 1);
        8 -> math:exp(rand:uniform(400) - 200);
        _ -> small()
    end.

pattern(D) ->
    case rand:uniform(4) of
        1 -> '_';
        2 -> list_to_atom([$$, $0 + rand:uniform(5)]);
        3 when D > 0 -> pick([list_to_tuple([pattern(D - 1) || _ <- list(4)]), [pattern(D - 1) || _ <- list(4)], [pattern(D - 1) | pattern(D - 1)],
                              maps:from_list([{key(0), pattern(D - 1)} || _ <- list(2)])]);
        _ -> term(1)
    end.

damage(B) ->
    case rand:uniform(3) of
        1 -> B;
        2 -> binary:part(B, 0, rand:uniform(byte_size(B)) - 1);
        3 -> At = rand:uniform(byte_size(B)) - 1,
             <<Front:At/binary, _, Rest/binary>> = B,
             <<Front/binary, (rand:uniform(256) - 1), Rest/binary>>
    end.
