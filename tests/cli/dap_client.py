"""A client of the Debug Adapter Protocol: what an editor would send, and what it is answered."""

import json
import subprocess

import support


class Refused(Exception):
    """A response without success: its message."""


class Adapter:
    """ravel dap, as a child. Requests are answered in their order; events are kept until they are taken."""

    def __init__(self, folder, environment):
        self.process = subprocess.Popen([support.RAVEL, "dap"], cwd=folder, env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.seq = 0
        self.received = 0
        self.events = []

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        text = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(self.process.stderr.read().decode())
            if line == b"\r\n":
                break
            name, value = line.split(b":")
            if name == b"Content-Length":
                length = int(value)
        message = json.loads(self.process.stdout.read(length))
        self.received += 1
        assert message["seq"] == self.received, message
        return message

    def ask(self, command, **arguments):
        """The body of the response; what comes before it are events."""
        self.seq += 1
        self.send({"seq": self.seq, "type": "request", "command": command, "arguments": arguments})
        while True:
            message = self.receive()
            if message["type"] == "event":
                self.events.append(message)
                continue
            assert message["request_seq"] == self.seq and message["command"] == command, message
            if not message["success"]:
                raise Refused(message["message"])
            return message.get("body", {})

    def event(self, name):
        """The next event of this name; others stay."""
        while True:
            for message in self.events:
                if message["event"] == name:
                    self.events.remove(message)
                    return message.get("body", {})
            self.events.append(self.receive())
            assert self.events[-1]["type"] == "event", self.events[-1]

    def output(self):
        """What was told since this was last asked."""
        told = [message for message in self.events if message["event"] == "output"]
        self.events = [message for message in self.events if message["event"] != "output"]
        return "".join(message["body"]["output"] for message in told)

    def launch(self, ticket, breakpoints=None, **more):
        """Up to the first stop, which is returned. Breakpoints: lines by path."""
        self.ask("initialize", adapterID="ravel", linesStartAt1=True)
        self.ask("launch", ticket=str(ticket), **more)
        self.event("initialized")
        verified = []
        for path, lines in (breakpoints or {}).items():
            verified += self.ask("setBreakpoints", source={"path": str(path)},
                                 breakpoints=[{"line": line} for line in lines])["breakpoints"]
        self.verified = [one["verified"] for one in verified]
        self.ask("configurationDone")
        return self.event("stopped")

    def move(self, command, thread=1):
        self.ask(command, threadId=thread)
        return self.event("stopped")

    def threads(self):
        """Numbers by name."""
        return {thread["name"]: thread["id"] for thread in self.ask("threads")["threads"]}

    def stack(self, thread):
        return self.ask("stackTrace", threadId=thread)["stackFrames"]

    def state(self, thread):
        """Values by name, by scope."""
        frame = self.stack(thread)[0]["id"]
        state = {}
        for scope in self.ask("scopes", frameId=frame)["scopes"]:
            found = self.ask("variables", variablesReference=scope["variablesReference"])["variables"]
            state[scope["name"]] = {one["name"]: one["value"] for one in found}
        return state

    def position(self):
        """How many steps were taken."""
        thread = next(iter(self.threads().values()))
        return int(self.state(thread)["Step"]["taken"].split()[0])

    def close(self):
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
