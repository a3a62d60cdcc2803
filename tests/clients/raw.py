"""Bytes that no client should send, and a client that never reads.

    raw.py PROGRAM ARGUMENT...

The server must neither crash nor grow without bound, and must answer the next
good request.
"""
import json
import resource
import subprocess
import sys
import time

COMMAND = sys.argv[1:]
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def request(number):
    return json.dumps(
        {"jsonrpc": "2.0", "id": number, "method": "tools/list", "params": {"_meta": META}}
    ).encode() + b"\n"


def answers(data):
    """All messages that come back when `data` is all that is sent."""
    start = time.monotonic()
    done = subprocess.run(COMMAND, input=data, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr[-500:])
    return [json.loads(line) for line in done.stdout.splitlines()], time.monotonic() - start


CASES = {
    "garbage": b"\x00\xff\xfe}{][\n" + b"hello\n",
    "bom": b"\xef\xbb\xbf",
    "crlf": b"\r\n\r\n",
    "deep": b"[" * 100_000 + b"\n" + b'{"a":' * 100_000 + b"\n",
    "64 MB line": b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (64 << 20) + b'"}\n',
    "unknown ids": b'{"jsonrpc":"2.0","id":99,"result":{}}\n'
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"no"}}\n',
    "bad utf-8": b'{"jsonrpc":"2.0","id":1,"method":"\xff"}\n',
    "many messages": b'{"jsonrpc":"2.0","id":null,"method":"x"}\n' * 2000,
}
for name, data in CASES.items():
    messages, _ = answers(data + request(7))
    assert any(m.get("id") == 7 and "result" in m for m in messages), name

# Half a message, and then nothing.
messages, _ = answers(request(1) + b'{"jsonrpc":"2.0","id":2,"meth')
assert [m.get("id") for m in messages] == [1, None], messages

# A client that only writes.
server = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
written = 0
import fcntl, os  # noqa: E401

fcntl.fcntl(server.stdin, fcntl.F_SETFL, os.O_NONBLOCK)
end = time.monotonic() + 3
while time.monotonic() < end:
    try:
        written += os.write(server.stdin.fileno(), request(1) * 100)
    except BlockingIOError:
        time.sleep(0.01)
with open(f"/proc/{server.pid}/status") as status:
    rss = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
assert rss < 200_000, f"{rss} kB"
server.stdin.close()
server.terminate()
assert server.wait(10) in (0, 143), server.returncode

first = []
for _ in range(5):
    start = time.monotonic()
    server = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server.stdin.write(request(1))
    server.stdin.flush()
    server.stdout.readline()
    first.append(time.monotonic() - start)
    server.stdin.close()
    server.wait(10)
assert min(first) < 0.1, first
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
assert peak < 400_000, f"{peak} kB"
print(f"first answer after {min(first) * 1000:.0f} ms; peak memory {peak // 1024} MB; {rss // 1024} MB unread")
