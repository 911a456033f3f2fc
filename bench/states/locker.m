-- The locker of locker.erl, as in locker.pml, with clients that cannot be told apart. A rule is a step
-- from one receive to the next.
--
--     rumur --symmetry-reduction heuristic --output locker.c locker.m
--     gcc -std=c11 -O3 -o locker locker.c -lpthread && ./locker
--
-- States up to the names of clients, and all states, which --symmetry-reduction off gives:
--
--     N: 5                522      52,192
--     N: 5, Shared: 5   2,494     284,272
--     N: 6              1,291     751,552
--     N: 6, Shared: 6  14,950  10,364,272

const
  N: 5;          -- clients
  Shared: 0;     -- how many of them share the resource; the others want it for themselves

type
  Client: scalarset(N);
  Length: 0..N;
  Place: 0..N - 1;
  Queue: record length: Length; clients: array [Place] of Client end;
  Message: enum { request, release };
  Answer: enum { none, ok, done };

var
  wants_it_all: array [Client] of boolean;
  has_begun: array [Client] of boolean;
  answer: array [Client] of Answer;              -- a client's mailbox, which never holds two messages

  -- The server's mailbox: who, and what.
  mailbox: Queue;
  messages: array [Place] of Message;

  -- What the server knows. Those who want the resource for themselves go before those who share.
  owner: Client;                                 -- who has the resource exclusively, or undefined
  sharers: Queue;                                -- who shares it, in the order in which they got it
  waiting_exclusive, waiting_shared: Queue;
  linked: array [Client] of boolean;             -- its links, on which nothing depends

procedure append(var queue: Queue; client: Client);
begin
  queue.clients[queue.length] := client;
  queue.length := queue.length + 1;
end;

procedure remove(var queue: Queue; place: Place);
begin
  for i: Place do
    if place <= i & i + 1 < queue.length then queue.clients[i] := queue.clients[i + 1]; end;
  end;
  queue.length := queue.length - 1;
  undefine queue.clients[queue.length];
end;

procedure send(client: Client; message: Message);
begin
  messages[mailbox.length] := message;
  append(mailbox, client);
end;

procedure take_message();
begin
  for i: Place do
    if i + 1 < mailbox.length then messages[i] := messages[i + 1]; end;
  end;
  undefine messages[mailbox.length - 1];
  remove(mailbox, 0);
end;

procedure take_exclusively(client: Client);
begin
  owner := client;
  answer[client] := ok;
end;

procedure take_shared(client: Client);
begin
  append(sharers, client);
  answer[client] := ok;
end;

procedure serve_request(client: Client);
begin
  linked[client] := true;
  if wants_it_all[client] then
    if isundefined(owner) & sharers.length = 0 & waiting_exclusive.length = 0 then
      take_exclusively(client);
    else
      append(waiting_exclusive, client);
    end;
  elsif isundefined(owner) & waiting_exclusive.length = 0 & waiting_shared.length = 0 then
    take_shared(client);
  else
    append(waiting_shared, client);
  end;
end;

procedure serve_release(client: Client);
begin
  answer[client] := done;
  if isundefined(owner) then
    for i: Place do
      if i < sharers.length & sharers.clients[i] = client then remove(sharers, i); return; end;
    end;
  else
    undefine owner;
  end;
end;

-- Gives the resource to those who wait, as far as it goes.
procedure serve_waiting();
begin
  if isundefined(owner) & sharers.length = 0 & waiting_exclusive.length > 0 then
    take_exclusively(waiting_exclusive.clients[0]);
    remove(waiting_exclusive, 0);
  end;
  while isundefined(owner) & waiting_exclusive.length = 0 & waiting_shared.length > 0 do
    take_shared(waiting_shared.clients[0]);
    remove(waiting_shared, 0);
  end;
end;

startstate
var sharing: Length;
begin
  sharing := 0;
  undefine owner;
  for client: Client do
    wants_it_all[client] := (sharing = Shared);
    if sharing < Shared then sharing := sharing + 1; end;
    has_begun[client] := false;
    linked[client] := false;
    answer[client] := none;
  end;
  mailbox.length := 0;
  sharers.length := 0;
  waiting_exclusive.length := 0;
  waiting_shared.length := 0;
end;

ruleset client: Client do
  rule "begins"
    !has_begun[client]
  ==> begin
    has_begun[client] := true;
    send(client, request);
  end;

  rule "is told that it has the resource, and releases it"
    answer[client] = ok
  ==> begin
    answer[client] := none;
    send(client, release);
  end;

  rule "is told that it has released the resource, and asks again"
    answer[client] = done
  ==> begin
    answer[client] := none;
    send(client, request);
  end;
end;

rule "the server takes a message"
  mailbox.length > 0
==>
var client: Client; message: Message;
begin
  client := mailbox.clients[0];
  message := messages[0];
  take_message();
  if message = request then
    serve_request(client);
  else
    serve_release(client);
    serve_waiting();
  end;
end;

invariant "who has it exclusively has it alone"
  isundefined(owner) | sharers.length = 0;
