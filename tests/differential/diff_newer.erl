%% What Erlang/OTP 26 to 29 have added and changed. A function that the installed release does not have is `undef` on both
%% sides, so each release is compared with itself.
-module(diff_newer).

-export([main/0, main/2]).

main() -> main(1, 1200).

main(Seed, Count) -> diff_support:run(Seed, Count, fun make/0).

make() ->
    case diff_support:rnd(13) of
        12 -> native_record();
        0 -> rows();
        1 -> walk();
        2 -> zeros();
        3 -> integers();
        4 -> ordered_map();
        5 -> json();
        6 -> about_process();
        7 -> shared_term();
        8 -> options();
        9 -> lists_and_binaries();
        10 -> questions();
        11 -> texts()
    end.

%% A call by name, which no compiler looks at.
call(Module, Function, Arguments) -> diff_support:evaluate(fun() -> apply(Module, Function, Arguments) end).

named(Name, Module, Function, Arguments) ->
    {{Name, Function, Arguments}, fun() -> call(Module, Function, Arguments) end}.

table_type() -> diff_support:pick([set, ordered_set, bag, duplicate_bag]).
key() -> diff_support:pick([1, 2, 3, 1.0, <<"k">>, {a}, 0.0, -0.0]).

table(Type, Rows) ->
    Table = ets:new(newer, [Type, public]),
    true = ets:insert(Table, Rows),
    Table.

rows_of_table() -> diff_support:list(5, fun() -> {key(), diff_support:small_integer(), x} end).

%% Single rows: with what is to be answered, or put there, if there is none.
rows() ->
    Type = table_type(),
    Rows = rows_of_table(),
    Key = key(),
    Position = diff_support:pick([1, 2, 3, 4, 0, x]),
    Default = diff_support:pick([none, {Key, 7, y}, {9, 7, y}, {1}]),  % of OTP 27, update_element/4 with {} ends the emulator
    Changes = diff_support:pick([{2, new}, [{2, new}, {3, z}], {1, other}, {4, far}, [{2, a} | b], {x, y}, []]),
    Do = diff_support:pick([lookup_element, update_element]),
    {{Do, Type, Rows, Key, Position, Changes, Default},
     fun() ->
             Table = table(Type, Rows),
             Result = case Do of
                          lookup_element -> call(ets, lookup_element, [Table, Key, Position, Default]);
                          update_element -> call(ets, update_element, [Table, Key, Changes, Default])
                      end,
             {without_table(Result, Table), lists:sort(ets:tab2list(Table))}
     end}.

%% Stack traces show the table.
without_table({Class, Reason, [{Module, Function, [Table | Rest], Info} | Stack]}, Table) ->
    {Class, Reason, [{Module, Function, ['<table>' | Rest], Info} | Stack]};
without_table(Result, _) -> Result.

%% From row to row. A hash table's order is not the same everywhere, so its rows are sorted.
walk() ->
    Type = table_type(),
    Rows = rows_of_table(),
    {First, Next} = diff_support:pick([{first_lookup, next_lookup}, {last_lookup, prev_lookup}]),
    {{walk, Type, First, Rows},
     fun() ->
             Table = table(Type, Rows),
             Found = try steps(Table, Next, apply(ets, First, [Table]))
                     catch error:undef -> undef
                     end,
             Wrong = without_table(call(ets, Next, [Table, not_there]), Table),
             {if Type =:= ordered_set; not is_list(Found) -> Found; true -> lists:sort(Found) end, Wrong}
     end}.

steps(_, _, '$end_of_table') -> [];
steps(Table, Next, {Key, Rows}) -> [{Key, lists:sort(Rows)} | steps(Table, Next, apply(ets, Next, [Table, Key]))].

zeros() ->
    Plus = 0.0 * diff_support:range(1, 3),
    Minus = -1.0 * Plus,
    Other = diff_support:pick([Plus, Minus, 0, 1.0]),
    {{zeros, Other},
     fun() ->
             Map = #{Plus => plus, Minus => minus},
             {Plus =:= Other, Plus == Other, Minus =:= Other, {Plus} =:= {Other}, [Minus | Other] =:= [Other | Minus],
              map_size(Map), maps:get(Other, Map, none), maps:is_key(-Other, Map), Plus < Minus, Minus < Plus, max(Plus, Minus),
              lists:sort([Plus, Minus, Other]), lists:usort([Plus, Minus, Other]), lists:member(Other, [Minus]),
              erlang:phash2(Minus) =:= erlang:phash2(Plus), matches(Other), lists:keyfind(Other, 1, [{Minus, found}]),
              maps:from_list([{{Minus}, 1}, {{Plus}, 2}]) =:= #{{Other} => 2},
              ets_zeros(Other), erlang:'=:='(Minus, Other), [X || X <- [Plus, Minus], X =:= Other]}
     end}.

matches(+0.0) -> plus;
matches(_) -> other.

ets_zeros(Other) ->
    [begin
         Table = table(Type, [{+0.0, plus}, {-0.0, minus}]),
         {ets:info(Table, size), ets:lookup(Table, Other)}
     end || Type <- [set, ordered_set, bag]].

%% The functions that are written in Erlang since 26, with errors of their own.
integers() ->
    Text = diff_support:pick(["12", "-7", "+3", "", "-", "x", "12x", "0012", "99999999999999999999999999", "1 ", [1 | 2], a, "zz", "-0",
                              [$1, 1.0], lists:duplicate(40, $f), [$- | lists:duplicate(30, $7)]]),
    Base = diff_support:pick([10, 16, 36, 2, 1, 37, a]),
    Bytes = try list_to_binary(Text) catch error:badarg -> Text end,
    diff_support:pick([named(integers, erlang, list_to_integer, [Text]), named(integers, erlang, list_to_integer, [Text, Base]),
                       named(integers, erlang, binary_to_integer, [Bytes]),
                       named(integers, erlang, binary_to_integer, [Bytes, Base]), named(integers, string, to_integer, [Text]),
                       named(integers, string, list_to_integer, [Text])]).

ordered_map() ->
    Map = diff_support:pick([diff_support:map(), diff_support:large_map()]),
    Order = diff_support:pick([ordered, reversed, undefined, fun(A, B) -> erlang:phash2(A) >= erlang:phash2(B) end, wrong]),
    Name = if is_function(Order) -> by_hash; true -> Order end,
    {{ordered_map, Name, Map},
     fun() ->
             try maps:to_list(maps:iterator(Map, Order)) of
                 List when Order =:= undefined -> lists:sort(List);
                 List -> List
             catch error:Reason -> {error, Reason}
             end
     end}.

json() ->
    Term = json_term(3),
    Text = diff_support:pick([<<"[1,2.5,{\"a\":null}]">>, <<"{\"k\": \"v\\u00e9\\n\"} ">>, <<"[1,">>, <<"tru">>, <<"\"\\ud83d\\ude00\"">>,
                              <<"-0.0">>, <<"1e3">>, <<"[]x">>, <<255>>, <<"">>, <<"123456789012345678901234567890">>]),
    {{json, Term, Text},
     fun() ->
             Encoded = call(json, encode, [Term]),
             {try iolist_to_binary(Encoded) catch error:_ -> Encoded end, call(json, decode, [Text])}
     end}.

json_term(Depth) ->
    case diff_support:rnd(if Depth =< 0 -> 6; true -> 8 end) of
        0 -> diff_support:integer();
        1 -> diff_support:float();
        2 -> unicode:characters_to_binary(diff_support:unicode_string());
        3 -> diff_support:pick([true, false, null, atom]);
        4 -> diff_support:binary();
        5 -> diff_support:pick([{a, b}, <<1:3>>, []]);
        6 -> diff_support:list(4, fun() -> json_term(Depth - 1) end);
        7 -> maps:from_list(diff_support:list(1, fun() -> {<<"k">>, json_term(Depth - 1)} end))
    end.

about_process() ->
    Item = diff_support:pick([label, {dictionary, k}, {dictionary, none}, [label, {dictionary, k}], async_dist, {dictionary}, {x, y},
                              [priority, {dictionary, k}], parent]),
    Label = diff_support:pick([none, a, {b, 1}, "text"]),
    {{about_process, Item, Label},
     fun() ->
             put(k, 17),
             case Label of none -> ok; _ -> _ = call(proc_lib, set_label, [Label]) end,
             Own = call(erlang, process_info, [self(), Item]),
             Result = {shape(Own), call(proc_lib, get_label, [self()]), call(erlang, process_flag, [async_dist, true]),
                       call(erlang, process_flag, [async_dist, false]), call(erlang, process_flag, [async_dist, x])},
             erase('$process_label'),
             Result
     end}.

shape({parent, _}) -> parent;
shape(Other) -> Other.

shared_term() ->
    Value = diff_support:small_integer(),
    {{shared_term, Value},
     fun() ->
             Key = {?MODULE, key},
             _ = persistent_term:erase(Key),
             [call(persistent_term, put_new, [Key, Value]), call(persistent_term, put_new, [Key, Value]),
              call(persistent_term, put_new, [Key, {Value}]), persistent_term:get(Key, none)]
     end}.

%% Where the emulator takes options that it did not take before.
options() ->
    Options = diff_support:pick([[], [x], [priority | x], x]),
    {{options, Options},
     fun() ->
             Idle = spawn(fun() -> receive stop -> ok end end),
             Results = [call(erlang, exit, [Idle, normal, Options]), call(erlang, exit_signal, [Idle, normal, Options]),
                        call(erlang, link, [Idle, Options]), call(erlang, alias, [Options])],
             unlink(Idle),
             Idle ! stop,
             [without_table(Result, Idle) || Result <- Results]
     end}.

%% By the module records, since older compilers do not know how they are written.
native_record() ->
    Fields = diff_support:pick([[], [{b, 1}], [{b, 1}, {a, 2.0}], [{a, 1}, {a, 2}], [{a, 1} | x], [a], [{1, 2}]]),
    Options = diff_support:pick([#{is_exported => true}, #{is_exported => false}, #{}, x]),
    Changes = diff_support:pick([#{b => 7}, #{zz => 1}, #{}, x]),
    {{native_record, Fields, Options, Changes},
     fun() ->
             case call(records, create, [m, n, Fields, Options]) of
                 {Class, _, _} = Error when Class =:= error -> Error;
                 Record ->
                     Other = call(records, create, [m, o, Fields, Options]),
                     {Record, [call(records, Name, [Record]) || Name <- [get_module, get_name, get_field_names, is_exported]],
                      call(records, get, [b, Record]), call(records, update, [Record, m, n, Changes]),
                      call(records, update, [Record, m, x, Changes]), lists:sort([#{}, Record, {m, n}, Other, []]), Record =:= Other,
                      binary_to_term(term_to_binary(Record)) =:= Record, is_tuple(Record), call(erlang, is_record, [Record, n])}
             end
     end}.

lists_and_binaries() ->
    A = diff_support:list(4, fun diff_support:small_integer/0),
    B = diff_support:list(4, fun diff_support:small_integer/0),
    Bytes = diff_support:list(3, fun diff_support:binary/0),
    diff_support:pick([named(lists, lists, zip, [A, B, trim]), named(lists, lists, zip, [A, B, {pad, {x, y}}]),
                       named(lists, lists, zip, [A, B, fail]), named(lists, lists, uniq, [A ++ B]),
                       named(lists, lists, enumerate, [3, 2, A]), named(binaries, binary, join, [Bytes, <<", ">>]),
                       named(binaries, binary, join, [Bytes, x]), named(lists, lists, zipwith, [fun erlang:'+'/2, A, B, trim]),
                       named(terms, erlang, max, [A, B]), named(terms, erlang, min, [1, 1.0]), in_range(A)]).

%% Also there for files that are newer than the installed release, but not to be called then.
in_range(A) ->
    case list_to_integer(erlang:system_info(otp_release)) of
        Release when Release >= 29 ->
            diff_support:pick([named(integers, erlang, is_integer, [length(A), 1, 3]), named(integers, erlang, is_integer, [a, 1, 3]),
                               named(integers, erlang, is_integer, [1, 1.0, 3])]);
        _ ->
            {in_range, fun() -> none end}
    end.

questions() ->
    diff_support:pick(
      [named(questions, code, get_coverage_mode, [no_such_module]), named(questions, erl_debugger, supported, []),
       named(questions, erts_internal, system_monitor, [legacy]),
       {processes, fun() ->
                           try next_pids(erlang:apply(erlang, processes_iterator, [])) of
                               Pids -> {lists:member(self(), Pids), lists:sort(Pids) =:= lists:sort(processes())}
                           catch error:undef -> undef
                           end
                   end},
       {builtins, fun() -> [{N, A} || {N, A} <- [{lookup_element, 4}, {first_lookup, 1}, {update_element, 4}],
                                      erlang:is_builtin(ets, N, A)] end},
       {builtins, fun() -> [{N, A} || {N, A} <- [{binary_to_integer, 1}, {list_to_integer, 2}, {display_string, 1}, {link, 2}, {exit, 3}],
                                      erlang:is_builtin(erlang, N, A)] end},
       {release, fun() -> {erlang:system_info(otp_release), erlang:system_info(version), erlang:system_info(compat_rel),
                           erlang:system_info(nif_version)} end},
       {preloaded, fun() -> erlang:pre_loaded() end},
       {heap_size, fun() -> {process_flag(max_heap_size, #{size => 0, include_shared_binaries => true}),
                             process_flag(max_heap_size, 0)} end}]).

next_pids(Iterator) ->
    case erlang:apply(erlang, processes_next, [Iterator]) of
        none -> [];
        {Pid, Next} -> [Pid | next_pids(Next)]
    end.

texts() ->
    Term = diff_support:term(2),
    diff_support:pick([named(texts, erts_internal, term_to_string, [Term, undefined]),
                       named(texts, erts_internal, term_to_string, [a_long_atom_of_text, x]),
                       named(texts, erlang, display_string, [{}]),
                       named(texts, erlang, float_to_list, [diff_support:float(), [short]]),
                       named(texts, erlang, float_to_binary, [diff_support:float(), [{decimals, 2}]]),
                       named(texts, io_lib, format, ["~0kp", [#{2 => a, 1 => b}]])]).
