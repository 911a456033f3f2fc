#!/usr/bin/env python3
"""How many states P's regression test Integration/Correct/PingPong has with the points of Zing, P's former model checker.

usage: zing_points.py      prints three numbers, which docs/explorer-numbers.md explains

A state: where the main machine is, where the other one is, and how many events wait in the queue of each. Zing lets others go
on after `new`, after `send`, and where a machine finds nothing to take.
"""


def reachable(initial, steps):
    seen, open_states = {initial}, [initial]
    while open_states:
        for state in steps(open_states.pop()):
            if state not in seen:
                seen.add(state)
                open_states.append(state)
    return seen


def steps(state, tells_rounds_apart):
    main, pong, at_main, at_pong = state
    later = "sent again" if tells_rounds_apart else "sent"
    if main == "start":
        yield "created", "start", at_main, at_pong
    elif main == "created":
        yield "sent", pong, at_main, at_pong + 1
    elif at_main > 0:  # takes Pong, and sends the next Ping
        yield later, pong, at_main - 1, at_pong + 1
    elif main != "waits":
        yield "waits", pong, at_main, at_pong
    if pong == "none":
        return
    if at_pong > 0:  # takes Ping, and sends Pong
        yield main, "sent", at_main + 1, at_pong - 1
    elif pong != "waits":
        yield main, "waits", at_main, at_pong


START = ("start", "none", 0, 0)
points = len(reachable(START, lambda state: steps(state, False)))
rounds = len(reachable(START, lambda state: steps(state, True)))
print(f"with the points of Zing: {points}")
print(f"if the event that was handled last counts, too: {rounds}")
print(f"and the state before the main machine is there: {rounds + 1}")
