%% Instructions of Erlang/OTP before 24 that its compiler writes no more, and rare shapes of those that it does.
%% assemble.escript makes old_code.beam of it; old_code_main.erl calls the functions and prints.
{module, old_code}.
{exports, [{floats,2},{zeroed,1},{killed,1},{marked,2},{tests,1},{arities,1},{dropped,1},{two_moves,2},{fun2,2},
           {bytes,3},{appended,3},{private,1},{sizes,2},{utf,1},{skipped,2},{exact,1},{init_bits,2},{swapped,2},
           {puts,2},{fails,3}]}.
{attributes, []}.
{labels, 200}.

{function, floats, 2, 2}.
  {label,1}.
    {func_info,{atom,old_code},{atom,floats},2}.
  {label,2}.
    fclearerror.
    {fconv,{x,0},{fr,0}}.
    {fconv,{x,1},{fr,1}}.
    {fadd,{f,0},{fr,0},{fr,1},{fr,2}}.
    {fsub,{f,0},{fr,2},{fr,1},{fr,2}}.
    {fmul,{f,0},{fr,2},{fr,1},{fr,2}}.
    {fdiv,{f,0},{fr,2},{fr,0},{fr,2}}.
    {fnegate,{f,0},{fr,2},{fr,3}}.
    {fcheckerror,{f,0}}.
    {test_heap,{alloc,[{words,3},{floats,2},{funs,0}]},0}.
    {fmove,{fr,2},{x,0}}.
    {fmove,{fr,3},{x,1}}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1}]}}.
    return.

%% Slots of allocate_zero hold [] from the start.
{function, zeroed, 1, 4}.
  {label,3}.
    {func_info,{atom,old_code},{atom,zeroed},1}.
  {label,4}.
    {allocate_heap_zero,3,4,1}.
    {put_tuple2,{x,1},{list,[{x,0},{x,0},{x,0}]}}.
    {move,{x,1},{y,1}}.
    {call_ext,1,{extfunc,erlang,is_atom,1}}.
    {test_heap,5,1}.
    {move,{y,1},{x,1}}.
    {put_tuple2,{x,0},{list,[{x,0},{y,0},{x,1},{y,2}]}}.
    {deallocate,3}.
    return.

{function, killed, 1, 6}.
  {label,5}.
    {func_info,{atom,old_code},{atom,killed},1}.
  {label,6}.
    {allocate_zero,2,1}.
    {move,{x,0},{y,0}}.
    {move,{x,0},{y,1}}.
    {call_ext,1,{extfunc,erlang,is_atom,1}}.
    {init,{y,0}}.
    {test_heap,4,1}.
    {put_tuple2,{x,0},{list,[{x,0},{y,0},{y,1}]}}.
    {deallocate,2}.
    return.

%% marked(Server, X): a call as gen:call made it.
{function, marked, 2, 8}.
  {label,7}.
    {func_info,{atom,old_code},{atom,marked},2}.
  {label,8}.
    {allocate_zero,3,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{y,1}}.
    {recv_mark,{f,9}}.
    {call_ext,0,{extfunc,erlang,make_ref,0}}.
    {move,{x,0},{y,2}}.
    {test_heap,4,1}.
    {bif,self,{f,0},[],{x,1}}.
    {put_tuple2,{x,1},{list,[{x,0},{x,1},{y,1}]}}.
    {move,{y,0},{x,0}}.
    send.
    {recv_set,{f,9}}.
  {label,9}.
    {loop_rec,{f,11},{x,0}}.
    {test,is_tuple,{f,10},[{x,0}]}.
    {test,test_arity,{f,10},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {test,is_eq_exact,{f,10},[{x,1},{y,2}]}.
    remove_message.
    {move,{x,2},{x,0}}.
    {deallocate,3}.
    return.
  {label,10}.
    {loop_rec_end,{f,9}}.
  {label,11}.
    {wait_timeout,{f,9},{atom,infinity}}.
    timeout.
    {move,{atom,late},{x,0}}.
    {deallocate,3}.
    return.

%% Every type test of a stack slot.
{function, tests, 1, 13}.
  {label,12}.
    {func_info,{atom,old_code},{atom,tests},1}.
  {label,13}.
    {allocate,2,1}.
    {move,{x,0},{y,0}}.
    {move,nil,{y,1}}.
    {test,is_integer,{f,14},[{y,0}]}.
    {move,{literal,[integer]},{y,1}}.
  {label,14}.
    {test,is_float,{f,15},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,float},{y,1},{y,1}}.
  {label,15}.
    {test,is_number,{f,16},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,number},{y,1},{y,1}}.
  {label,16}.
    {test,is_atom,{f,17},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,atom},{y,1},{y,1}}.
  {label,17}.
    {test,is_pid,{f,18},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,pid},{y,1},{y,1}}.
  {label,18}.
    {test,is_reference,{f,19},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,reference},{y,1},{y,1}}.
  {label,19}.
    {test,is_port,{f,20},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,port},{y,1},{y,1}}.
  {label,20}.
    {test,is_nil,{f,21},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,nil},{y,1},{y,1}}.
  {label,21}.
    {test,is_binary,{f,22},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,binary},{y,1},{y,1}}.
  {label,22}.
    {test,is_bitstr,{f,23},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,bitstr},{y,1},{y,1}}.
  {label,23}.
    {test,is_list,{f,24},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,list},{y,1},{y,1}}.
  {label,24}.
    {test,is_nonempty_list,{f,25},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,nonempty_list},{y,1},{y,1}}.
  {label,25}.
    {test,is_tuple,{f,26},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,tuple},{y,1},{y,1}}.
  {label,26}.
    {test,is_function,{f,27},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,function},{y,1},{y,1}}.
  {label,27}.
    {test,is_function2,{f,28},[{y,0},{integer,1}]}.
    {test_heap,2,0}.
    {put_list,{atom,function1},{y,1},{y,1}}.
  {label,28}.
    {test,is_boolean,{f,29},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,boolean},{y,1},{y,1}}.
  {label,29}.
    {test,is_map,{f,30},[{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,map},{y,1},{y,1}}.
  {label,30}.
    {test,is_tagged_tuple,{f,31},[{y,0},2,{atom,a}]}.
    {test_heap,2,0}.
    {put_list,{atom,tagged},{y,1},{y,1}}.
  {label,31}.
    {test,is_eq_exact,{f,32},[{y,0},{integer,1}]}.
    {test_heap,2,0}.
    {put_list,{atom,one},{y,1},{y,1}}.
  {label,32}.
    {test,is_ne_exact,{f,33},[{y,0},{atom,true}]}.
    {test_heap,2,0}.
    {put_list,{atom,not_true},{y,1},{y,1}}.
  {label,33}.
    {test,is_lt,{f,34},[{y,0},{integer,2}]}.
    {test_heap,2,0}.
    {put_list,{atom,less},{y,1},{y,1}}.
  {label,34}.
    {test,is_ge,{f,35},[{integer,1},{y,0}]}.
    {test_heap,2,0}.
    {put_list,{atom,at_most_one},{y,1},{y,1}}.
  {label,35}.
    {test,is_eq,{f,36},[{y,0},{float,1.0}]}.
    {test_heap,2,0}.
    {put_list,{atom,equals_one},{y,1},{y,1}}.
  {label,36}.
    {test,is_ne,{f,37},[{y,0},{float,1.0}]}.
    {test_heap,2,0}.
    {put_list,{atom,differs_from_one},{y,1},{y,1}}.
  {label,37}.
    {move,{y,1},{x,0}}.
    {deallocate,2}.
    return.

{function, arities, 1, 39}.
  {label,38}.
    {func_info,{atom,old_code},{atom,arities},1}.
  {label,39}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {test,is_tuple,{f,41},[{y,0}]}.
    {move,{atom,a_tuple},{x,0}}.
    {test,test_arity,{f,40},[{y,0},2]}.
    {select_val,{y,0},{f,40},{list,[{literal,{1,2}},{f,42}]}}.
  {label,40}.
    {select_tuple_arity,{y,0},{f,41},{list,[0,{f,42},2,{f,43},1,{f,41}]}}.
  {label,41}.
    {move,{atom,other},{x,0}}.
    {deallocate,1}.
    return.
  {label,42}.
    {move,{atom,empty_or_one_two},{x,0}}.
    {deallocate,1}.
    return.
  {label,43}.
    {move,{atom,two},{x,0}}.
    {deallocate,1}.
    return.

%% A frame is dropped, and something else comes before the end.
{function, dropped, 1, 45}.
  {label,44}.
    {func_info,{atom,old_code},{atom,dropped},1}.
  {label,45}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {call_ext,1,{extfunc,erlang,is_atom,1}}.
    {move,{y,0},{x,1}}.
    {deallocate,1}.
    {test,is_eq_exact,{f,46},[{x,0},{atom,true}]}.
    {swap,{x,0},{x,1}}.
    {call_ext_only,2,{extfunc,erlang,max,2}}.
  {label,46}.
    {move,{x,1},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,is_integer,1}}.

{function, two_moves, 2, 48}.
  {label,47}.
    {func_info,{atom,old_code},{atom,two_moves},2}.
  {label,48}.
    {allocate,4,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{y,0},{y,2}}.
    {move,{y,1},{y,3}}.
    {move,{y,3},{x,0}}.
    {move,{y,2},{x,1}}.
    {move,{x,0},{x,2}}.
    {move,{x,1},{x,3}}.
    {move,{x,3},{x,0}}.
    {move,{x,0},{x,1}}.
    {test_heap,5,4}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1},{x,2},{x,3}]}}.
    {trim,3,1}.
    {move,{x,0},{y,0}}.
    {test_heap,3,0}.
    {put_tuple2,{y,0},{list,[{y,0},{atom,trimmed}]}}.
    {move,{y,0},{x,0}}.
    {deallocate,1}.
    return.

%% fun2(A, B): a fun with two free variables.
{function, fun2, 2, 50}.
  {label,49}.
    {func_info,{atom,old_code},{atom,fun2},2}.
  {label,50}.
    {allocate_zero,0,2}.
    {make_fun2,{f,52},0,0,2}.
    {move,{x,0},{x,1}}.
    {move,{integer,7},{x,0}}.
    {call_fun,1}.
    {deallocate,0}.
    return.

{function, '-fun2/2-fun-0-', 3, 52}.
  {label,51}.
    {func_info,{atom,old_code},{atom,'-fun2/2-fun-0-'},3}.
  {label,52}.
    {test_heap,4,3}.
    {put_tuple2,{x,0},{list,[{x,2},{x,1},{x,0}]}}.
    return.

%% bytes(Integer, Float, Binary)
{function, bytes, 3, 54}.
  {label,53}.
    {func_info,{atom,old_code},{atom,bytes},3}.
  {label,54}.
    {gc_bif,byte_size,{f,0},3,[{x,2}],{x,3}}.
    {bs_add,{f,0},[{x,3},{integer,8},1],{x,3}}.
    {bs_add,{f,0},[{x,3},{integer,3},4],{x,3}}.
    {bs_init2,{f,0},{x,3},0,4,{field_flags,[]},{x,4}}.
    {bs_put_integer,{f,0},{integer,16},1,{field_flags,[little,signed]},{x,0}}.
    {bs_put_float,{f,0},{integer,64},1,{field_flags,[]},{x,1}}.
    {bs_put_binary,{f,0},{atom,all},8,{field_flags,[]},{x,2}}.
    {bs_put_string,6,{string,<<"string">>}}.
    {bs_put_integer,{f,0},{integer,4},8,{field_flags,[]},{x,0}}.
    {move,{x,4},{x,0}}.
    return.

%% appended(Binary, Integer, Size): Size bits of Integer behind Binary.
{function, appended, 3, 56}.
  {label,55}.
    {func_info,{atom,old_code},{atom,appended},3}.
  {label,56}.
    {bs_add,{f,57},[{integer,8},{x,2},1],{x,3}}.
    {bs_append,{f,57},{x,3},0,4,8,{x,0},{field_flags,[]},{x,4}}.
    {bs_put_integer,{f,57},{x,2},1,{field_flags,[]},{x,1}}.
    {bs_put_integer,{f,57},{integer,8},1,{field_flags,[]},{x,1}}.
    {move,{x,4},{x,0}}.
    return.
  {label,57}.
    {move,{atom,failed},{x,0}}.
    return.

%% private(List): as a binary comprehension builds it.
{function, private, 1, 59}.
  {label,58}.
    {func_info,{atom,old_code},{atom,private},1}.
  {label,59}.
    {move,{x,0},{x,1}}.
    {move,{integer,8},{x,0}}.
    {allocate,1,2}.
    {move,{x,1},{y,0}}.
    bs_init_writable.
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {deallocate,1}.
    {call_only,2,{f,101}}.

{function, private, 2, 101}.
  {label,100}.
    {func_info,{atom,old_code},{atom,private},2}.
  {label,101}.
    {test,is_nonempty_list,{f,61},[{x,0}]}.
    {get_list,{x,0},{x,2},{x,0}}.
    {bs_private_append,{f,0},{integer,16},1,{x,1},{field_flags,[]},{x,1}}.
    {bs_put_integer,{f,0},{integer,12},1,{field_flags,[]},{x,2}}.
    {bs_put_integer,{f,0},{integer,4},1,{field_flags,[]},{x,2}}.
    {call_only,2,{f,101}}.
  {label,61}.
    {move,{x,1},{x,0}}.
    return.

{function, sizes, 2, 63}.
  {label,62}.
    {func_info,{atom,old_code},{atom,sizes},2}.
  {label,63}.
    {bs_utf8_size,{f,0},{x,0},{x,2}}.
    {bs_utf16_size,{f,0},{x,1},{x,3}}.
    {bs_add,{f,64},[{x,2},{x,3},16],{x,4}}.
    {test_heap,4,5}.
    {put_tuple2,{x,0},{list,[{x,2},{x,3},{x,4}]}}.
    return.
  {label,64}.
    {move,{atom,failed},{x,0}}.
    return.

{function, utf, 1, 66}.
  {label,65}.
    {func_info,{atom,old_code},{atom,utf},1}.
  {label,66}.
    {bs_utf8_size,{f,0},{x,0},{x,1}}.
    {bs_utf16_size,{f,0},{x,0},{x,2}}.
    {bs_add,{f,67},[{x,1},{x,2},1],{x,1}}.
    {bs_add,{f,67},[{x,1},{integer,8},1],{x,1}}.
    {bs_init2,{f,67},{x,1},0,3,{field_flags,[]},{x,3}}.
    {bs_put_utf8,{f,67},{field_flags,[]},{x,0}}.
    {bs_put_utf16,{f,67},{field_flags,[little]},{x,0}}.
    {bs_put_utf32,{f,67},{field_flags,[]},{x,0}}.
    {bs_put_utf32,{f,67},{field_flags,[little]},{x,0}}.
    {move,{x,3},{x,0}}.
    return.
  {label,67}.
    {move,{atom,failed},{x,0}}.
    return.

%% skipped(utf16 | utf32, Binary): the rest behind the first character, and the next one.
{function, skipped, 2, 69}.
  {label,68}.
    {func_info,{atom,old_code},{atom,skipped},2}.
  {label,69}.
    {test,bs_start_match3,{f,72},2,[{x,1}],{x,2}}.
    {bs_get_position,{x,2},{x,3},3}.
    {select_val,{x,0},{f,72},{list,[{atom,utf16},{f,70},{atom,utf32},{f,71},{atom,utf8},{f,74}]}}.
  {label,70}.
    {test,bs_skip_utf16,{f,72},[{x,2},4,{field_flags,[little]}]}.
    {test,bs_get_utf16,{f,72},4,[{x,2},{field_flags,[little]}],{x,4}}.
    {jump,{f,73}}.
  {label,71}.
    {test,bs_skip_utf32,{f,72},[{x,2},4,{field_flags,[]}]}.
    {test,bs_get_utf32,{f,72},4,[{x,2},{field_flags,[]}],{x,4}}.
    {jump,{f,73}}.
  {label,72}.
    {move,{atom,no_match},{x,0}}.
    return.
  {label,73}.
    {bs_get_tail,{x,2},{x,5},5}.
    {bs_set_position,{x,2},{x,3}}.
    {bs_get_tail,{x,2},{x,6},6}.
    {test_heap,4,7}.
    {put_tuple2,{x,0},{list,[{x,4},{x,5},{x,6}]}}.
    return.
  {label,74}.
    {test,bs_skip_utf8,{f,72},[{x,2},4,{field_flags,[]}]}.
    {test,bs_get_utf8,{f,72},4,[{x,2},{field_flags,[]}],{x,4}}.
    {jump,{f,73}}.

{function, exact, 1, 76}.
  {label,75}.
    {func_info,{atom,old_code},{atom,exact},1}.
  {label,76}.
    {put_map_exact,{f,0},{x,0},{x,0},1,{list,[{atom,a},{integer,1},{literal,"key"},{x,0}]}}.
    return.

{function, init_bits, 2, 78}.
  {label,77}.
    {func_info,{atom,old_code},{atom,init_bits},2}.
  {label,78}.
    {bs_init_bits,{f,79},{x,1},0,2,{field_flags,[]},{x,2}}.
    {bs_put_integer,{f,79},{x,1},1,{field_flags,[]},{x,0}}.
    {move,{x,2},{x,0}}.
    return.
  {label,79}.
    {move,{atom,failed},{x,0}}.
    return.

{function, swapped, 2, 81}.
  {label,80}.
    {func_info,{atom,old_code},{atom,swapped},2}.
  {label,81}.
    {allocate,1,2}.
    {move,{atom,slot},{y,0}}.
    {swap,{x,0},{y,0}}.
    {swap,{x,1},{x,0}}.
    {test_heap,4,2}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1},{y,0}]}}.
    {deallocate,1}.
    return.

%% A binary whose size is a constant, and whose segments come from slots and constants.
{function, puts, 2, 83}.
  {label,82}.
    {func_info,{atom,old_code},{atom,puts},2}.
  {label,83}.
    {allocate,2,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{y,1}}.
    {bs_init2,{f,0},12,0,0,{field_flags,[]},{y,1}}.
    {bs_put_integer,{f,0},{integer,8},1,{field_flags,[]},{y,0}}.
    {bs_put_integer,{f,0},{integer,3},8,{field_flags,[]},{integer,66051}}.
    {bs_put_float,{f,0},{integer,32},1,{field_flags,[]},{float,1.5}}.
    {bs_put_binary,{f,0},{integer,2},8,{field_flags,[]},{literal,<<"abc">>}}.
    {bs_put_string,2,{string,<<"xy">>}}.
    {move,{y,1},{x,0}}.
    {deallocate,2}.
    return.

%% fails(What, Value, Size): each put with a label to go to.
{function, fails, 3, 85}.
  {label,84}.
    {func_info,{atom,old_code},{atom,fails},3}.
  {label,85}.
    {bs_init2,{f,90},{x,2},0,3,{field_flags,[]},{x,3}}.
    {select_val,{x,0},{f,91},{list,[{atom,integer},{f,86},{atom,float},{f,87},{atom,binary},{f,88},{atom,utf32},{f,89}]}}.
  {label,86}.
    {bs_put_integer,{f,91},{x,2},8,{field_flags,[]},{x,1}}.
    {jump,{f,92}}.
  {label,87}.
    {bs_put_float,{f,91},{x,2},8,{field_flags,[]},{x,1}}.
    {jump,{f,92}}.
  {label,88}.
    {bs_put_binary,{f,91},{x,2},8,{field_flags,[]},{x,1}}.
    {jump,{f,92}}.
  {label,89}.
    {bs_put_utf32,{f,91},{field_flags,[]},{x,1}}.
    {jump,{f,92}}.
  {label,90}.
    {move,{atom,no_room},{x,0}}.
    return.
  {label,91}.
    {move,{atom,failed},{x,0}}.
    return.
  {label,92}.
    {move,{x,3},{x,0}}.
    return.
