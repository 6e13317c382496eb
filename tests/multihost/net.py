"""net.py: the hosts of a test as network namespaces on one switch, which is a namespace too.

    net = Net("mh123", ["a", "b", "client"])        10.88.0.1, .2, .3; root only
    net.run("a", command)                           a Popen whose process is on host a
    with net.on("client"): ...                      sockets that this thread opens inside are on that host
    net.cut("a")  net.join("a")                     disconnects and reconnects it
    net.shape("a", delay_ms=100, loss=0.05)         delays and drops traffic to a, by netem or our own relay;  net.unshape("a")
    net.listen(words)                               searches all traffic on the switch for words; .stop() returns {word: frames}
    net.close()

The relay is for kernels without netem: it removes the host's port from the switch and forwards each frame itself, late or never.
"""
import contextlib
import ctypes
import fcntl
import heapq
import os
import random
import select
import socket
import struct
import subprocess
import sys
import threading
import time

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET, ETH_P_ALL, PACKET_OUTGOING, SIOCETHTOOL, ETHTOOL_STXCSUM = 0x40000000, 3, 4, 0x8946, 0x17


def ip(*args):
    done = subprocess.run(["ip", *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise OSError(f"ip {' '.join(args)}: {done.stdout.strip()}")
    return done.stdout


def permitted():
    """None, or why namespaces cannot be made here."""
    name = f"mh-may-{os.getpid()}"
    try:
        ip("netns", "add", name)
        try:
            ip("-n", name, "link", "add", "x0", "type", "veth", "peer", "name", "x1")
            ip("-n", name, "link", "add", "br0", "type", "bridge")
        finally:
            ip("netns", "del", name)
    except OSError as e:
        return str(e)
    return None


def packets(interface):
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    s.bind((interface, ETH_P_ALL))
    mreq = struct.pack("iHH8s", socket.if_nametoindex(interface), 1, 0, b"")     # PACKET_MR_PROMISC
    s.setsockopt(263, 1, mreq)
    s.setsockopt(socket.SOL_SOCKET, 33, 8 << 20)        # SO_RCVBUFFORCE
    return s


def carry(outside, inside, delay, loss):
    """Frames between two interfaces; those to `outside` come `delay` seconds late, and a share of them never.  For ever."""
    out, into = packets(outside), packets(inside)
    rnd, late, n = random.Random(1), [], 0
    print("ready", flush=True)
    while True:
        wait = max(0, late[0][0] - time.monotonic()) if late else None
        ready = select.select([out, into], [], [], wait)[0]
        for s in ready:
            frame, address = s.recvfrom(65536)
            if address[2] == PACKET_OUTGOING:
                continue
            if s is out:
                send(into, frame)
            elif rnd.random() >= loss:
                n += 1
                heapq.heappush(late, (time.monotonic() + delay, n, frame))
        while late and late[0][0] <= time.monotonic():
            send(out, heapq.heappop(late)[2])


def send(s, frame):
    with contextlib.suppress(OSError):      # an interface that is down loses it
        s.send(frame)


class Listener:
    """Every frame that passes the switch, searched for words.  What a port sends and the next receives is seen twice."""

    def __init__(self, net, words):
        self.words, self.frames, self.bytes, self.seen, self.ends = words, 0, 0, {w: 0 for w in words}, False
        self.lock = threading.Lock()
        with net.on("switch"):
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self.socket.setsockopt(socket.SOL_SOCKET, 33, 64 << 20)
        self.socket.settimeout(0.2)
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()

    def look(self):
        while not self.ends:
            try:
                frame = self.socket.recv(65536)
            except TimeoutError:
                continue
            self.frames += 1
            self.bytes += len(frame)
            for w in self.words:
                if w in frame:
                    self.seen[w] += 1

    def stop(self):
        self.ends = True
        self.thread.join()
        drops = struct.unpack("II", self.socket.getsockopt(263, 6, 8))[1]     # PACKET_STATISTICS
        self.socket.close()
        return self.seen, drops


class Net:
    def __init__(self, prefix, hosts):
        self.prefix, self.hosts = prefix, hosts
        self.address = {h: f"10.88.0.{i + 1}" for i, h in enumerate(hosts)}
        self.made, self.relays, self.fds = [], {}, {}
        try:
            self.make()
        except BaseException:
            self.close()
            raise

    def ns(self, host):
        return f"{self.prefix}-{host}"

    def make(self):
        for name in ["switch", *self.hosts]:
            ip("netns", "add", self.ns(name))
            self.made.append(name)
            ip("-n", self.ns(name), "link", "set", "lo", "up")
            self.fds[name] = os.open(f"/run/netns/{self.ns(name)}", os.O_RDONLY | os.O_CLOEXEC)
        sw = self.ns("switch")
        ip("-n", sw, "link", "add", "br0", "type", "bridge")
        ip("-n", sw, "link", "set", "br0", "up")
        for h in self.hosts:
            ip("link", "add", "eth0", "netns", self.ns(h), "type", "veth", "peer", "name", f"to-{h}", "netns", sw)
            self.whole_frames(h)
            ip("-n", self.ns(h), "addr", "add", f"{self.address[h]}/24", "dev", "eth0")
            ip("-n", self.ns(h), "link", "set", "eth0", "up")
            ip("-n", sw, "link", "set", f"to-{h}", "master", "br0", "up")

    def whole_frames(self, host):
        """Frames with checksums, no longer than a wire takes: the relay passes on what it sees."""
        value = ctypes.create_string_buffer(struct.pack("II", ETHTOOL_STXCSUM, 0))
        with self.on(host), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            fcntl.ioctl(s, SIOCETHTOOL, struct.pack("16sP", b"eth0", ctypes.addressof(value)))

    @contextlib.contextmanager
    def on(self, host):
        home = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        try:
            if LIBC.setns(self.fds[host], CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), f"setns {host}")
            try:
                yield
            finally:
                LIBC.setns(home, CLONE_NEWNET)
        finally:
            os.close(home)

    def run(self, host, command, **kw):
        return subprocess.Popen(["ip", "netns", "exec", self.ns(host), *command], **kw)

    def cut(self, host):
        ip("-n", self.ns("switch"), "link", "set", f"to-{host}", "down")

    def join(self, host):
        ip("-n", self.ns("switch"), "link", "set", f"to-{host}", "up")

    def shape(self, host, delay_ms, loss):
        sw, port = self.ns("switch"), f"to-{host}"
        done = subprocess.run(["tc", "-n", sw, "qdisc", "add", "dev", port, "root", "netem", "delay", f"{delay_ms}ms",
                               "loss", f"{loss * 100}%"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode == 0:
            return "netem"
        a, b = f"in-{host}", f"out-{host}"
        ip("-n", sw, "link", "add", a, "type", "veth", "peer", "name", b)
        ip("-n", sw, "link", "set", a, "up")
        self.relays[host] = self.run("switch", [sys.executable, os.path.abspath(__file__), port, a, str(delay_ms / 1000), str(loss)],
                                     stdout=subprocess.PIPE)
        self.relays[host].stdout.readline()     # until it carries frames every one of them is lost, and TCP waits twice as long each time
        ip("-n", sw, "link", "set", port, "nomaster")
        ip("-n", sw, "link", "set", b, "master", "br0", "up")
        return "relay"

    def unshape(self, host):
        sw, port, relay = self.ns("switch"), f"to-{host}", self.relays.pop(host, None)
        if not relay:
            subprocess.run(["tc", "-n", sw, "qdisc", "del", "dev", port, "root"], stderr=subprocess.DEVNULL)
            return
        relay.kill()
        relay.wait()
        relay.stdout.close()
        ip("-n", sw, "link", "del", f"in-{host}")
        ip("-n", sw, "link", "set", port, "master", "br0")

    def listen(self, words):
        return Listener(self, words)

    def close(self):
        for relay in self.relays.values():
            relay.kill()
            relay.wait()
        for fd in self.fds.values():
            os.close(fd)
        self.fds = {}
        for name in self.made:
            subprocess.run(["ip", "netns", "del", self.ns(name)], stderr=subprocess.DEVNULL)
        self.made = []


if __name__ == "__main__":
    carry(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]))
