%% Properties as --property names them: what each is, and what it says after a step
%% (src/erlang/machine/property_monitors.cc). Both functions end by give/1.
-module(ravel_property).
-export([open/1, proposition/1, step/3, open_abstraction/1, abstract/3]).

-define(READY, "mailbox_longer_than(N), mutual_exclusion(PROBE), at_most_one(PROBE), never_gone(NAME)").

%% What a property that is named so is: {ok, Specification, shown | names | steps, TakesEvents, State}
%% or {error, Text}.
open(Text) -> give(read(fun named/1, Text)).

%% What a proposition of a formula means (src/erlang/machine/propositions.h): {ok, Meaning} or {error, Text}.
proposition(Text) -> give(read(fun meant/1, Text)).

read(By, Text) ->
    try By(Text)
    catch throw:{wrong, Why} -> {error, unicode:characters_to_list(Why)};
          Class:Reason:Trace -> {crashed, Class, Reason, Trace}
    end.

step(Property, Event, State) ->
    give(try look(Property, Event, State) catch Class:Reason:Trace -> {crashed, Class, Reason, Trace} end).

%% Which function an abstraction is (src/erlang/machine/abstraction.h): {ok, Module, Function} or {error, Text}; and what it makes
%% of a state.
open_abstraction(Text) ->
    give(read(fun(_) ->
                      case string:split(Text, ":") of
                          [Module, Function] when Module =/= "", Function =/= "" ->
                              {ok, {function, M, F}, _, _, _} = function(module_named(Module), list_to_atom(Function)),
                              {ok, M, F};
                          _ -> wrong("it is no function. Write MODULE:FUNCTION.")
                      end
              end, Text)).

abstract(Module, Function, State) ->
    give(try {ok, Module:Function(State)} catch Class:Reason:Trace -> {crashed, Class, Reason, Trace} end).

%% Ravel takes it from here (src/erlang/bif/monitor_views.cc).
give(_Answer) -> erlang:nif_error(undefined).

%% ---- NAME, NAME(ARGUMENTS), MODULE:FUNCTION

named("") -> wrong("the name of a property is missing.");
named(Text) ->
    case string:split(Text, "(") of
        [Name, Arguments] -> property(Name, arguments(Arguments));
        [Name] ->
            case string:split(Name, ":") of
                [Module, Function] -> function(module_named(Module), list_to_atom(Function));
                [_] -> property(Name, [])
            end
    end.

%% ---- NAME, NAME(ARGUMENTS), registered(NAME), enabled(NAME), MODULE:FUNCTION, Module.function, or any term

meant(Text) ->
    case name_and_rest(Text) of
        {"", _} -> shown(term(Text));
        {Name, ""} -> shown(list_to_atom(Name));
        {"registered", "(" ++ Arguments} -> {ok, {registered, one_name("registered", arguments(Arguments))}};
        {"enabled", "(" ++ Arguments} -> {ok, {enabled, one_name("enabled", arguments(Arguments))}};
        {Name, "(" ++ Arguments} -> shown(list_to_atom(Name), arguments(Arguments));
        {Name, [Sign | Function]} when Sign =:= $:; Sign =:= $. ->
            predicate(module_named(Name), string:trim(Function, leading, ":"));
        _ -> shown(term(Text))
    end.

name_and_rest(Text) ->
    lists:splitwith(fun(C) -> (C >= $a andalso C =< $z) orelse (C >= $A andalso C =< $Z) orelse C =:= $_ orelse C =:= $@ orelse
                                  (C >= $0 andalso C =< $9) end, Text).

shown(Term) -> {ok, {shown, Term, any, Term}}.

shown(Name, []) -> shown(Name);
shown(Name, [Value]) -> {ok, {shown, Name, {value, Value}, {Name, Value}}};
shown(Name, Values) -> {ok, {shown, Name, {value, list_to_tuple(Values)}, list_to_tuple([Name | Values])}}.

one_name(_, [Name]) when is_atom(Name) -> Name;
one_name(What, _) -> wrong([What, " takes a name that is registered: ", What, "(NAME)."]).

predicate(Module, Function) ->
    {ok, Specification, Observed, _, _} = function(Module, list_to_atom(Function)),
    {ok, {predicate, Specification, Observed}}.

term(Text) ->
    case erl_scan:string(Text ++ ".") of
        {ok, Tokens, _} ->
            case erl_parse:parse_term(Tokens) of
                {ok, Term} -> Term;
                {error, _} -> wrong("it is no name, and no term of Erlang.")
            end;
        {error, _, _} -> wrong("it is no name, and no term of Erlang.")
    end.

arguments(Text) ->
    lists:suffix(")", Text) orelse wrong("the ) after the arguments is missing."),
    Terms = "[" ++ lists:droplast(Text) ++ "].",
    case erl_scan:string(Terms) of
        {ok, Tokens, _} ->
            case erl_parse:parse_term(Tokens) of
                {ok, Arguments} -> Arguments;
                {error, _} -> wrong("the arguments are no terms of Erlang.")
            end;
        {error, _, _} -> wrong("the arguments are no terms of Erlang.")
    end.

property("mailbox_longer_than", [N]) when is_integer(N), N >= 0 -> {ok, {mailbox_longer_than, N}, steps, false, none};
property("mailbox_longer_than", _) -> wrong("it takes a number of messages: mailbox_longer_than(N).");
property("mutual_exclusion", [Probe]) -> {ok, {mutual_exclusion, Probe}, shown, false, none};
property("mutual_exclusion", _) -> wrong("it takes the name of a probe: mutual_exclusion(PROBE).");
property("at_most_one", [Probe]) -> {ok, {at_most_one, Probe}, shown, false, none};
property("at_most_one", _) -> wrong("it takes the name of a probe: at_most_one(PROBE).");
property("never_gone", [Name]) when is_atom(Name) -> {ok, {never_gone, Name}, names, false, not_there};
property("never_gone", _) -> wrong("it takes a name that is registered: never_gone(NAME).");
property(Name, Arguments) ->
    Module = module_named(Name),
    Exports = exports(Module),
    TakesEvents = lists:member({event, 3}, Exports),
    LooksAtStates = lists:member({state, 2}, Exports),
    lists:member({init, 1}, Exports) andalso (TakesEvents orelse LooksAtStates)
        orelse wrong(io_lib:format("the module ~tp is no monitor: it exports not init/1 and one of event/3 and state/2, as the "
                                   "behaviour ravel_monitor has them. For a single function write MODULE:FUNCTION.", [Module])),
    case Module:init(Arguments) of
        {ok, State} -> {ok, {monitor, Module, TakesEvents, LooksAtStates}, observed(Module, Exports, shown), TakesEvents, State};
        Other -> wrong(io_lib:format("~tp:init/1 gives ~tp. It is to give {ok, State}.", [Module, Other]))
    end.

%% A function may look at anything, unless its module says what.
function(Module, Function) ->
    Exports = exports(Module),
    lists:member({Function, 1}, Exports)
        orelse wrong(io_lib:format("the module ~tp exports no function ~tp/1. It takes a view of the state and gives true or "
                                   "false.", [Module, Function])),
    {ok, {function, Module, Function}, observed(Module, Exports, steps), false, none}.

module_named([First | _] = Name) when First >= $A, First =< $Z ->
    list_to_atom(case Name of "Elixir." ++ _ -> Name; _ -> "Elixir." ++ Name end);
module_named(Name) -> list_to_atom(Name).

exports(Module) ->
    try Module:module_info(exports)
    catch error:undef ->
            wrong(io_lib:format("there is no module ~tp, and no ready-made property of that name. Ready-made are ~s; for one of your "
                                "own, name the file of its monitor, or add the folder of its module with --pa.", [Module, ?READY]))
    end.

observed(Module, Exports, Otherwise) ->
    case lists:member({observes, 0}, Exports) of
        false -> Otherwise;
        true -> lists:foldl(fun(What, Most) -> most(kind(Module, What), Most) end, shown, Module:observes())
    end.

kind(_, What) when What =:= probes; What =:= labels -> shown;
kind(_, names) -> names;
kind(_, What) when What =:= statuses; What =:= mailboxes; What =:= operations -> steps;
kind(Module, What) ->
    wrong(io_lib:format("~tp:observes/0 gives ~tp. It gives a list of probes, labels, names, statuses, mailboxes and operations.",
                        [Module, What])).

most(steps, _) -> steps;
most(_, steps) -> steps;
most(names, _) -> names;
most(_, Kind) -> Kind.

-spec wrong(unicode:chardata()) -> no_return().
wrong(Text) -> throw({wrong, Text}).

%% ---- After a step

look({monitor, Module, TakesEvents, LooksAtStates}, Event, State) ->
    case TakesEvents andalso Module:event(Event, view, State) of
        false -> state(Module, State);
        {ok, Next} when LooksAtStates -> state(Module, Next);
        Answer -> checked("event/3", Answer)
    end;
look({function, Module, Function}, _, none) ->
    case Module:Function(view) of
        true -> {ok, none};
        false -> {violated};
        Other -> {gives, "function", Other}
    end;
look({mailbox_longer_than, N}, _, none) ->
    case [{Pid, Length} || {Pid, Length} <- ravel_monitor:mailbox_lengths(view), Length > N] of
        [] -> {ok, none};
        [{Pid, Length} | _] -> {violated, none, [[Pid, " has ", Length, " messages"]]}
    end;
look({at_most_one, Probe}, _, none) ->
    case [{Pid, Value} || {Pid, Name, Value} <- ravel_monitor:probes(view), Name =:= Probe] of
        [First, Second | _] -> {violated, none, [shows(Probe, First), shows(Probe, Second)]};
        _ -> {ok, none}
    end;
look({mutual_exclusion, Probe}, _, none) ->
    Held = [{Resource, How, {Pid, Value}} || {Pid, Name, Value} <- ravel_monitor:probes(view), Name =:= Probe,
                                             {Resource, How} <- held(Value)],
    case [[One, Other] || [{Resource, How, {Pid, _} = One} | Others] <- tails(Held), {Same, OtherHow, {OtherPid, _} = Other} <- Others,
                          Pid =/= OtherPid, Resource =:= Same, {How, OtherHow} =/= {shared, shared}] of
        [] -> {ok, none};
        [Both | _] -> {violated, none, [shows(Probe, One) || One <- Both]}
    end;
look({never_gone, Name}, _, State) ->
    case {ravel_monitor:whereis(view, Name), State} of
        {undefined, not_there} -> {ok, not_there};
        {undefined, there} -> {violated, none, []};
        {_, _} -> {ok, there}
    end.

tails([_ | Tail] = List) -> [List | tails(Tail)];
tails([]) -> [].

state(Module, State) -> checked("state/2", Module:state(view, State)).

checked(_, {ok, _} = Answer) -> Answer;
checked(_, {violated, Reason}) -> {violated, Reason, []};
checked(_, {violated, _, Details} = Answer) when is_list(Details) -> Answer;
checked(Callback, Other) -> {gives, Callback, Other}.

%% What a value of a probe of mutual_exclusion says that the process holds, and how.
held(false) -> [];
held(List) when is_list(List) -> lists:append([held(Value) || Value <- List]);
held(Value) when Value =:= true; Value =:= exclusive -> [{everything, exclusive}];
held(shared) -> [{everything, shared}];
held({How, Resource}) when How =:= shared; How =:= exclusive -> [{{resource, Resource}, How}];
held(Resource) -> [{{resource, Resource}, exclusive}].

shows(Probe, {Pid, Value}) -> [Pid, " shows ", Probe, " = ", Value].
