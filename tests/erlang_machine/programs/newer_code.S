%% Instructions that only newer compilers than the installed one write, or that these write seldom.
%% assemble_newer.escript makes newer_code.beam of it; newer_code_main.erl calls the functions and prints. The
%% functions of reference/newer_code.erl do the same in Erlang.
{module, newer_code}.
{exports, [{header,1},{signed,1},{exactly,1},{shared,1},{rest,1},{unit,1},{longest,1},{update,2},{same,1},{limits,2},
           {between,3},{is_between,3},{record_kind,1},{field,1},{field_or,1},{make,1},
           {accessible,1},{elements,1}]}.
{attributes, []}.
{labels, 70}.

%% A tail test, a skip, values of each kind, and a tail, all in one.
{function, header, 1, 2}.
  {label,1}.
    {func_info,{atom,newer_code},{atom,header},1}.
  {label,2}.
    {test,bs_start_match3,{f,3},1,[{x,0}],{x,1}}.
    {bs_match,{f,3},{x,1},
              {commands,[{ensure_at_least,40,8},{'=:=',nil,3,5},{skip,5},{integer,2,{literal,[little]},16,1,{x,0}},
                         {binary,2,{literal,[]},2,8,{x,2}},{get_tail,3,8,{x,3}}]}}.
    {test_heap,4,4}.
    {put_tuple2,{x,0},{list,[{x,0},{x,2},{x,3}]}}.
    return.
  {label,3}.
    {move,{atom,no},{x,0}}.
    return.

{function, signed, 1, 5}.
  {label,4}.
    {func_info,{atom,newer_code},{atom,signed},1}.
  {label,5}.
    {test,bs_start_match3,{f,6},1,[{x,0}],{x,0}}.
    {bs_match,{f,6},{x,0},
              {commands,[{ensure_exactly,79},{integer,1,{literal,[signed]},7,1,{x,1}},
                         {integer,2,{literal,[signed,little]},4,8,{x,2}},{integer,3,{literal,[]},8,5,{x,0}}]}}.
    {test_heap,4,3}.
    {put_tuple2,{x,0},{list,[{x,1},{x,2},{x,0}]}}.
    return.
  {label,6}.
    {move,{atom,no},{x,0}}.
    return.

{function, exactly, 1, 8}.
  {label,7}.
    {func_info,{atom,newer_code},{atom,exactly},1}.
  {label,8}.
    {test,bs_start_match3,{f,9},1,[{x,0}],{x,0}}.
    {bs_match,{f,9},{x,0},{commands,[{ensure_exactly,35},{'=:=',nil,31,2147483647},{'=:=',nil,4,0}]}}.
    {move,{atom,yes},{x,0}}.
    return.
  {label,9}.
    {move,{atom,no},{x,0}}.
    return.

%% Two clauses that go on from the same place: commands without a label behind others that ensure the bits.
{function, shared, 1, 11}.
  {label,10}.
    {func_info,{atom,newer_code},{atom,shared},1}.
  {label,11}.
    {test,bs_start_match3,{f,14},1,[{x,0}],{x,0}}.
    {bs_match,{f,14},{x,0},{commands,[{ensure_exactly,16},{integer,1,{literal,[]},8,1,{x,1}}]}}.
    {bs_get_position,{x,0},{x,2},2}.
    {bs_match,{f,12},{x,0},{commands,[{'=:=',nil,8,1}]}}.
    {test_heap,3,2}.
    {put_tuple2,{x,0},{list,[{atom,one},{x,1}]}}.
    return.
  {label,12}.
    {bs_set_position,{x,0},{x,2}}.
    {bs_match,{f,0},{x,0},{commands,[{integer,2,{literal,[]},8,1,{x,0}}]}}.
    {test_heap,4,2}.
    {put_tuple2,{x,0},{list,[{atom,other},{x,1},{x,0}]}}.
    return.
  {label,14}.
    {move,{atom,no},{x,0}}.
    return.

%% The place in the context stays where it is when the tail is taken.
{function, rest, 1, 16}.
  {label,15}.
    {func_info,{atom,newer_code},{atom,rest},1}.
  {label,16}.
    {test,bs_start_match3,{f,17},1,[{x,0}],{x,0}}.
    {bs_match,{f,17},{x,0},{commands,[{ensure_at_least,8,1},{skip,8},{get_tail,1,1,{x,1}}]}}.
    {bs_get_tail,{x,0},{x,0},2}.
    {test_heap,3,2}.
    {put_tuple2,{x,0},{list,[{x,1},{x,0}]}}.
    return.
  {label,17}.
    {move,{atom,no},{x,0}}.
    return.

{function, unit, 1, 19}.
  {label,18}.
    {func_info,{atom,newer_code},{atom,unit},1}.
  {label,19}.
    {test,bs_start_match3,{f,20},1,[{x,0}],{x,0}}.
    {bs_match,{f,20},{x,0},{commands,[{ensure_at_least,4,3},{skip,4},{get_tail,1,3,{x,0}}]}}.
    return.
  {label,20}.
    {move,{atom,no},{x,0}}.
    return.

{function, longest, 1, 22}.
  {label,21}.
    {func_info,{atom,newer_code},{atom,longest},1}.
  {label,22}.
    {test,bs_start_match3,{f,23},1,[{x,0}],{x,0}}.
    {bs_match,{f,23},{x,0},{commands,[{ensure_at_least,63,1},{'=:=',nil,63,9223372036854775807},{get_tail,1,1,{x,0}}]}}.
    return.
  {label,23}.
    {move,{atom,no},{x,0}}.
    return.

{function, update, 2, 25}.
  {label,24}.
    {func_info,{atom,newer_code},{atom,update},2}.
  {label,25}.
    {update_record,{atom,copy},4,{x,0},{x,0},{list,[2,{x,1},4,{atom,last}]}}.
    return.

%% The hint `reuse`: the tuple itself may come out when nothing changes.
{function, same, 1, 27}.
  {label,26}.
    {func_info,{atom,newer_code},{atom,same},1}.
  {label,27}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {update_record,{atom,reuse},3,{y,0},{x,0},{list,[3,{integer,7}]}}.
    {deallocate,1}.
    return.

{function, limits, 2, 29}.
  {label,28}.
    {func_info,{atom,newer_code},{atom,limits},2}.
  {label,29}.
    {bif,min,{f,0},[{x,0},{x,1}],{x,2}}.
    {bif,max,{f,30},[{x,0},{x,1}],{x,3}}.
    {test_heap,3,4}.
    {put_tuple2,{x,0},{list,[{x,2},{x,3}]}}.
    return.
  {label,30}.
    {move,{atom,no},{x,0}}.
    return.

{function, between, 3, 32}.
  {label,31}.
    {func_info,{atom,newer_code},{atom,between},3}.
  {label,32}.
    {bif,is_integer,{f,33},[{x,0},{x,1},{x,2}],{x,0}}.
    return.
  {label,33}.
    {move,{atom,fails},{x,0}}.
    return.

{function, is_between, 3, 35}.
  {label,34}.
    {func_info,{atom,newer_code},{atom,is_between},3}.
  {label,35}.
    {bif,is_integer,{f,0},[{x,0},{x,1},{x,2}],{x,0}}.
    return.

%% Nothing is a native record.
{function, record_kind, 1, 37}.
  {label,36}.
    {func_info,{atom,newer_code},{atom,record_kind},1}.
  {label,37}.
    {is_any_native_record,{f,40},{x,0}}.
    {move,{atom,any},{x,0}}.
    return.
  {label,40}.
    {is_native_record,{f,39},{x,0},{atom,newer_code},{atom,point}}.
    {is_record_accessible,{f,38},{x,0},{atom,newer_code}}.
    {get_record_elements,{f,38},{x,0},{list,[{atom,a},{x,0}]}}.
    return.
  {label,38}.
    {move,{atom,hidden},{x,0}}.
    return.
  {label,39}.
    {move,{atom,none},{x,0}}.
    return.

{function, field, 1, 42}.
  {label,41}.
    {func_info,{atom,newer_code},{atom,field},1}.
  {label,42}.
    {get_record_field,{f,0},{x,0},{atom,'_'},{atom,a},{x,0}}.
    return.

{function, field_or, 1, 44}.
  {label,43}.
    {func_info,{atom,newer_code},{atom,field_or},1}.
  {label,44}.
    {get_record_field,{f,45},{x,0},{literal,{newer_code,point}},{atom,a},{x,0}}.
    return.
  {label,45}.
    {move,{atom,none},{x,0}}.
    return.

{function, make, 1, 47}.
  {label,46}.
    {func_info,{atom,newer_code},{atom,make},1}.
  {label,47}.
    {put_record,{f,0},{literal,{newer_code,point}},nil,{x,0},1,{list,[{atom,a},{x,0}]}}.
    return.

{function, accessible, 1, 49}.
  {label,48}.
    {func_info,{atom,newer_code},{atom,accessible},1}.
  {label,49}.
    {is_record_accessible,{f,50},{x,0},{atom,newer_code}}.
    {move,{atom,visible},{x,0}}.
    return.
  {label,50}.
    {move,{atom,hidden},{x,0}}.
    return.

{function, elements, 1, 52}.
  {label,51}.
    {func_info,{atom,newer_code},{atom,elements},1}.
  {label,52}.
    {get_record_elements,{f,53},{x,0},{list,[{atom,a},{x,0}]}}.
    return.
  {label,53}.
    {move,{atom,none},{x,0}}.
    return.
