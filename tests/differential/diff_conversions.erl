%% Conversions between numbers, atoms, text, lists and binaries, and the type tests.
-module(diff_conversions).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, list/2, small_integer/0, integer/0, float/0, wrong/0, term/1, string/0, unicode_string/0, atom/0,
                       binary/0]).

main() -> main(1, 3000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

any() -> pick([term(1), term(0), wrong(), atom(), integer(), float(), string(), binary(), list_to_binary(string())]).

test() ->
    case rnd(6) of
        0 ->
            {F, A} = pick([{atom_to_list, [any()]}, {atom_to_list, [atom()]}, {atom_to_binary, [atom()]}, {atom_to_binary, [any()]},
                           {atom_to_binary, [atom(), encoding()]}, {list_to_atom, [pick([any(), string(), unicode_string()])]},
                           {list_to_existing_atom, [pick(["ok", "error", "undefined", any(), "surely_no_atom_" ++ "of_this_name"])]},
                           {binary_to_atom, [pick([any(), list_to_binary(string())])]},
                           {binary_to_atom, [pick([<<195, 169>>, <<233>>, <<"abc">>, <<255>>]), encoding()]},
                           {binary_to_existing_atom, [pick([<<"ok">>, <<"error">>, any()])]}]),
            {erlang, F, A};
        1 ->
            F = pick([list_to_integer, list_to_float, list_to_binary, list_to_tuple, list_to_bitstring, binary_to_list, binary_to_integer,
                      binary_to_float, integer_to_list, float_to_list, tuple_to_list, integer_to_binary, float_to_binary, iolist_to_binary,
                      bitstring_to_list, binary_to_term, list_to_pid, list_to_ref]),
            {erlang, F, [any()]};
        2 ->
            F = pick([is_atom, is_binary, is_bitstring, is_boolean, is_float, is_function, is_integer, is_list, is_map, is_number, is_pid, is_port,
                      is_reference, is_tuple, abs, ceil, float, floor, round, trunc, hd, tl, length, size, tuple_size, byte_size, bit_size, map_size,
                      'not', '+', '-', 'bnot']),
            {erlang, F, [any()]};
        3 ->
            F = pick(['and', 'or', 'xor', '++', '--', is_function, is_record, element, map_get, is_map_key, binary_part, '!', '<', '=:=']),
            case F of '!' -> {erlang, send, [nobody_by_that_name, any()]}; _ -> {erlang, F, [any(), any()]} end;
        4 ->
            A = any(),
            {{tests, A}, fun() -> tests(A) end};
        5 ->
            A = any(), B = any(), Way = pick([booleans, andalso_orelse, lists, 'case', 'if']),
            {{Way, A, B}, fun() -> mixed(Way, A, B) end}
    end.

encoding() -> pick([latin1, utf8, unicode, bad]).

tests(A) ->
    {is_atom(A), is_binary(A), is_bitstring(A), is_boolean(A), is_float(A), is_function(A), is_integer(A), is_list(A), is_map(A),
     is_number(A), is_pid(A), is_tuple(A), if is_function(A, 1) -> f1; is_list(A), length(A) > 2 -> long; is_tuple(A), tuple_size(A) =:= 2 -> pair;
                                              true -> other end}.

mixed(booleans, A, B) -> {A and (B or true), A xor B};
mixed(andalso_orelse, A, B) -> [A =:= B orelse (is_atom(A) andalso B), B andalso A];
mixed(lists, A, B) -> {A ++ B, [A | B]};
mixed('case', A, B) -> case {A, B} of {X, X} -> same; {_, X} when is_integer(X), X > 0 -> positive; {[H | _], _} -> H end;
mixed('if', A, B) -> if A > B -> greater; A < B, is_list(B) -> list; A == B -> equal; length(A) > 1 -> long end.
