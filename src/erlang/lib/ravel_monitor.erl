%% The behaviour of a monitor: it looks at what a program does, step by step, and says when a
%% property is violated. docs/guide/properties.md explains it.
%%
%% Copy this file into a project whose monitors are compiled by other tools. Ravel needs no copy.
-module(ravel_monitor).
-export([probes/1, names/1, whereis/2, statuses/1, status/2, messages/2, mailbox_lengths/1, mailbox_length/2]).
-export_type([view/0, event/0, observed/0]).

-opaque view() :: view.
%% The keys depend on the operation.
-type event() :: #{actor := term(), operation := atom(), labels := [term()], atom() => term()}.
-type observed() :: probes | labels | names | statuses | mailboxes | operations.
-type answer() :: {ok, State :: term()} | {violated, Reason :: term()} | {violated, Reason :: term(), Details :: [term()]}.

%% Of the arguments that --property gives.
-callback init(Arguments :: [term()]) -> {ok, State :: term()}.
%% A step that concerns the monitor has happened, and this is the state after it.
-callback event(event(), view(), State :: term()) -> answer().
%% The same without the event; called after event/3.
-callback state(view(), State :: term()) -> answer().
%% What the monitor looks at: only steps that change it concern the monitor. Probes and labels if
%% this is left out.
-callback observes() -> [observed()].
-optional_callbacks([event/3, state/2, observes/0]).

%% What processes show of themselves.
-spec probes(view()) -> [{pid(), Name :: term(), Value :: term()}].
probes(_View) -> erlang:nif_error(undefined).

%% Registered names.
-spec names(view()) -> [{atom(), pid()}].
names(_View) -> erlang:nif_error(undefined).

-spec whereis(view(), atom()) -> pid() | undefined.
whereis(_View, _Name) -> erlang:nif_error(undefined).

%% The processes of the program.
-spec statuses(view()) -> [{pid(), running | waiting | ended}].
statuses(_View) -> erlang:nif_error(undefined).

%% A process waits in a receive for a message that is not there.
-spec status(view(), pid()) -> running | waiting | ended.
status(_View, _Pid) -> erlang:nif_error(undefined).

%% In their order in the mailbox.
-spec messages(view(), pid()) -> [Message :: term()].
messages(_View, _Pid) -> erlang:nif_error(undefined).

%% Of the processes of the program that have messages.
-spec mailbox_lengths(view()) -> [{pid(), pos_integer()}].
mailbox_lengths(_View) -> erlang:nif_error(undefined).

-spec mailbox_length(view(), pid()) -> non_neg_integer().
mailbox_length(_View, _Pid) -> erlang:nif_error(undefined).
