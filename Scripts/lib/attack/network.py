"""A network in which every address is this machine's, and everything that comes is counted."""

import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress

INSIDE = "GALLEY_ATTACK_INSIDE"
# What a name stands for, unless it is one of a private host: an address of the public network.
PUBLIC = "93.184.216.34"
# Names below it stand for this machine itself, names below the second for either, in turns.
PRIVATE_ZONE, TURNING_ZONE = "private.test", "turning.test"
PORTS = (80, 443, 7001, 8080)


def enter():
    """Starts the program again in namespaces of its own; comes back with None in there, or with why there are none."""
    if os.environ.get(INSIDE) == "yes":
        return None
    unshare = ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc"]
    if os.geteuid() != 0:
        unshare.append("--map-root-user")
    routes = "ip link set lo up && ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo"
    with tempfile.NamedTemporaryFile("w", prefix="galley-attack-names-", delete=False) as names:
        names.write("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    os.chmod(names.name, 0o644)
    setup = f"{routes} && mount --bind {names.name} $(readlink -f /etc/resolv.conf)"
    try:
        tried = subprocess.run([*unshare, "sh", "-c", setup], capture_output=True, text=True)
        if tried.returncode != 0:
            return (tried.stderr.strip().splitlines() or ["it was refused"])[-1]
        again = [*unshare, "sh", "-c", f'{setup} && exec "$@"', "sh", sys.executable, *sys.orig_argv[1:]]
        code = subprocess.run(again, env={**os.environ, INSIDE: "yes"}).returncode
    except OSError as error:
        return str(error)
    finally:
        os.unlink(names.name)
    sys.exit(code)


class Counter:
    """Answers every connection and every question for a name, and keeps what was asked."""

    def __init__(self, answer):
        self.answer, self.lock = answer, threading.Lock()
        self.connections, self.names, self.turn = [], [], 0

    def hit(self, address, port, request):
        with self.lock:
            self.connections.append((address, port, request))

    def take(self):
        """What came since the last call: connections as (address, port, first line), and names."""
        with self.lock:
            taken = self.connections, self.names
            self.connections, self.names = [], []
        return taken


@contextmanager
def counted(answer=lambda host, path: None):
    """Listens on every address; `answer` gives (status, headers, body) for a request, or None for a plain answer."""
    counter, sockets = Counter(answer), []
    for port in PORTS:
        for family, host in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
            listener = socket.socket(family, socket.SOCK_STREAM)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listener.bind((host, port))
            listener.listen(512)
            sockets.append(listener)
            threading.Thread(target=accept, args=(listener, counter), daemon=True).start()
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind(("127.0.0.1", 53))
    sockets.append(names)
    threading.Thread(target=tell_names, args=(names, counter), daemon=True).start()
    try:
        yield counter
    finally:
        for each in sockets:
            # Wakes the thread that waits there.
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def accept(listener, counter):
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=serve, args=(connection, counter), daemon=True).start()


def serve(connection, counter):
    address, port = connection.getsockname()[:2]
    with connection:
        connection.settimeout(5)
        try:
            head = connection.recv(65536)
        except OSError:
            head = b""
        line = head.split(b"\r\n", 1)[0].decode(errors="replace")
        counter.hit(address, port, line)
        parts = line.split(" ")
        host = next((each[5:].strip().decode(errors="replace") for each in head.split(b"\r\n")
                     if each.lower().startswith(b"host:")), "")
        answer = counter.answer(host, parts[1]) if len(parts) > 1 else None
        status, headers, body = answer or ("200 OK", {"content-type": "text/html"}, b"<p>reached</p>")
        lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", "connection: close",
                 "access-control-allow-origin: *", *(f"{name}: {value}" for name, value in headers.items())]
        with suppress(OSError):
            connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def tell_names(names, counter):
    while True:
        try:
            question, client = names.recvfrom(4096)
        except OSError:
            return
        # The shortest question there is; less comes when the socket is closed.
        if len(question) < 17:
            return
        labels, at = [], 12
        while at < len(question) and question[at]:
            labels.append(question[at + 1: at + 1 + question[at]].decode(errors="replace"))
            at += 1 + question[at]
        name, kind = ".".join(labels).lower(), struct.unpack(">H", question[at + 1: at + 3])[0]
        with counter.lock:
            counter.names.append(name)
            counter.turn += 1
            turn = counter.turn
        address = PUBLIC
        if name.endswith(PRIVATE_ZONE) or name.endswith(TURNING_ZONE) and turn % 2:
            address = "127.0.0.1"
        has_address = kind == 1
        head = question[:2] + struct.pack(">HHHHH", 0x8180, 1, has_address, 0, 0) + question[12: at + 5]
        record = struct.pack(">HHHIH", 0xC00C, 1, 1, 0, 4) + socket.inet_aton(address) if has_address else b""
        try:
            names.sendto(head + record, client)
        except OSError:
            return
