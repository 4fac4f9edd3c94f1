"""A small client of NATS: it sends and listens as any program with a user's password may."""

import json
import socket
import time


class Client:
    def __init__(self, port, user, inbox):
        """Connects as a user; answers to requests come below `inbox`, where the user may listen."""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=5)
        self.reader = self.socket.makefile("rb")
        self.inbox, self.count, self.errors = inbox, 0, []
        self.reader.readline()
        options = {"verbose": False, "pedantic": False, "user": user, "pass": f"change-me-{user}", "headers": True,
                   "no_responders": True}
        self.socket.sendall(f"CONNECT {json.dumps(options)}\r\nPING\r\n".encode())
        self.drain()

    def close(self):
        self.socket.close()

    def publish(self, subject, body=b"", reply=""):
        body = body.encode() if isinstance(body, str) else body
        self.socket.sendall(f"PUB {subject} {reply + ' ' if reply else ''}{len(body)}\r\n".encode() + body + b"\r\n")

    def subscribe(self, subject):
        self.count += 1
        self.socket.sendall(f"SUB {subject} {self.count}\r\n".encode())

    def drain(self, within=5):
        """Messages that came until the server has answered a ping; complaints of the server are kept in `errors`."""
        messages: list[tuple] = []
        self.socket.sendall(b"PING\r\n")
        pongs = 2 if not self.count and not self.errors else 1
        end = time.monotonic() + within
        while time.monotonic() < end:
            line = self.reader.readline()
            if not line:
                raise ConnectionError("NATS closed the connection")
            if line.startswith(b"PONG"):
                pongs -= 1
                if pongs <= 0:
                    return messages
            elif line.startswith(b"-ERR"):
                self.errors.append(line.decode().strip())
            elif line.startswith((b"MSG", b"HMSG")):
                words = line.split()
                body = self.reader.read(int(words[-1]) + 2)[:-2]
                messages.append((words[1].decode(), body))
            elif line.startswith(b"PING"):
                self.socket.sendall(b"PONG\r\n")
        return messages

    def ask(self, subject, body, within=10):
        """The head and body of a Galley server's answer; nil where none came."""
        self.count += 1
        inbox = f"{self.inbox}.{self.count}"
        self.socket.sendall(f"SUB {inbox} {self.count}\r\n".encode())
        self.publish(subject, body, inbox)
        end = time.monotonic() + within
        while time.monotonic() < end:
            for name, answer in self.drain(within=1):
                if name == inbox:
                    head, _, rest = answer.partition(b"\n")
                    return (json.loads(head) if head.strip().startswith(b"{")
                            else {"raw": head.decode(errors="replace")}, rest)
            time.sleep(0.02)
        return None
