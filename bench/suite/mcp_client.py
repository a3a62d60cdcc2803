"""A client of `forge-search mcp`, as small as one can be."""

import json
import subprocess
import time


class Session:
    def __init__(self, command, env):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=env)
        self.next_id = 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.next_id += 1
        self.send({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params})
        while line := self.process.stdout.readline():
            reply = json.loads(line)
            if reply.get("id") == self.next_id:
                return reply
        raise RuntimeError("the server ended")

    def search(self, **arguments):
        """The text of the answer, and milliseconds."""
        start = time.monotonic()
        reply = self.ask("tools/call", {"name": "Search", "arguments": arguments})
        elapsed = 1000 * (time.monotonic() - start)
        return reply["result"]["content"][0]["text"], elapsed

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)
