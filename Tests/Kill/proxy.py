"""A proxy between a session and a gateway that reads their frames, holds them, cuts them, and notes what went by."""

import selectors
import socket
import time

PLACE, CANCEL = b"3", b"4"
STATUS, CODE, OPEN_ORDER, EXECUTION, COMMISSION = b"3", b"4", b"5", b"11", b"59"
# The boundaries behind an answer: its kind. Those of a leg are about the last order of a bracket, the others about any of
# the step's; an end is the status that says so.
ANSWERS = {
    "openOrder": OPEN_ORDER, "orderStatus": STATUS, "execDetails": EXECUTION, "commission": COMMISSION,
    "leg-openOrder": OPEN_ORDER, "leg-status": STATUS, "end": STATUS, "code": CODE,
}

# Places of fields in the text form of placeOrder, for server versions 157 to 200.
ORDER_ID, ORDER_REF, TRANSMIT, PARENT = 1, 26, 27, 28


class Link:
    """A connection through the proxy."""

    def __init__(self, client, gateway):
        self.client, self.gateway = client, gateway
        self.pending = {client: b"", gateway: b""}
        self.has_greeted = False
        # True while nothing of the gateway is passed on.
        self.is_held = False
        self.is_open = True

    def close(self):
        self.is_open = False
        for end in (self.client, self.gateway):
            end.close()


class Proxy:
    """Passes frames on, and gives each to `trap` first."""

    def __init__(self, port):
        self.gateway_port = port
        self.selector = selectors.DefaultSelector()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.selector.register(self.listener, selectors.EVENT_READ)
        self.links = {}
        self.known = {}
        # Orders that were placed a second time in the same words: a change has others.
        self.resent = []
        self.trap = None
        self.newest_order_frame = 0.0
        self.bars = 0
        # The kinds of the frames that sessions have sent, in their order.
        self.requests = []

    def close(self):
        for link in set(self.links.values()):
            self.drop(link)
        self.listener.close()
        self.selector.close()

    def drop(self, link):
        for end in (link.client, link.gateway):
            if end in self.links:
                self.selector.unregister(end)
                del self.links[end]
        link.close()

    def drop_all(self):
        for link in set(self.links.values()):
            self.drop(link)

    def pump(self, seconds):
        """Passes on what comes within a time."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            for key, _ in self.selector.select(max(left, 0)):
                if key.fileobj is self.listener:
                    self.accept()
                elif key.fileobj in self.links:
                    self.read(key.fileobj)
            if left <= 0:
                return

    def accept(self):
        client, _ = self.listener.accept()
        try:
            gateway = socket.create_connection(("127.0.0.1", self.gateway_port))
        except OSError:
            client.close()
            return
        link = Link(client, gateway)
        for end in (client, gateway):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.links[end] = link
            self.selector.register(end, selectors.EVENT_READ)

    def read(self, end):
        link = self.links[end]
        if end is link.gateway and link.is_held:
            # Held bytes lie in the system's buffer; the selector would report them again and again.
            time.sleep(0.002)
            return
        try:
            data = end.recv(1 << 18)
        except OSError:
            data = b""
        if not data:
            self.drop(link)
            return
        link.pending[end] += data
        while link.is_open:
            bytes_ = link.pending[end]
            if end is link.client and not link.has_greeted:
                if len(bytes_) < 4:
                    return
                link.has_greeted = True
                link.pending[end] = bytes_[4:]
                self.send(link, link.gateway, bytes_[:4])
                continue
            if len(bytes_) < 4:
                return
            length = int.from_bytes(bytes_[:4], "big")
            if len(bytes_) < 4 + length:
                return
            link.pending[end] = bytes_[4 + length:]
            frame = bytes_[:4 + length]
            if end is link.client:
                self.take_from_client(link, frame)
            else:
                self.take_from_gateway(link, frame)
            if end is link.gateway and link.is_held:
                return

    def send(self, link, end, data):
        if not link.is_open:
            return
        try:
            end.sendall(data)
        except OSError:
            self.drop(link)

    def take_from_client(self, link, frame):
        fields = frame[4:].split(b"\0")
        self.requests.append(fields[0])
        if fields[0] in (PLACE, CANCEL):
            self.newest_order_frame = time.monotonic()
            if self.trap and self.trap.take_request(link, frame, fields):
                return
            self.note(fields)
        self.send(link, link.gateway, frame)

    def note(self, fields):
        if fields[0] != PLACE:
            return
        former = self.known.get(fields[ORDER_ID])
        if former and former[-1] == fields and len(former) == 1:
            self.resent.append(fields[ORDER_REF].decode())
        self.known.setdefault(fields[ORDER_ID], []).append(fields)

    def take_from_gateway(self, link, frame):
        fields = frame[4:].split(b"\0", 4)
        if fields[0] in (STATUS, OPEN_ORDER, EXECUTION, COMMISSION):
            self.newest_order_frame = time.monotonic()
        if fields[0] == b"50":
            self.bars += 1
        self.send(link, link.client, frame)
        if self.trap:
            self.trap.take_answer(link, fields)


class Trap:
    """Waits for a step, and stops the session at one of its boundaries."""

    def __init__(self, step, boundary, proxy, before, random):
        self.step, self.boundary, self.proxy, self.random = step, boundary, proxy, random
        # Called with the frames of the step before any of them is passed on.
        self.before = before
        self.frames = []
        self.ids = []
        self.has_executed = False
        self.has_fired = False
        # True once the session is to be killed.
        self.is_reached = False

    def take_request(self, link, frame, fields):
        """True if the frame is not to be passed on."""
        if self.has_fired:
            # What comes behind the step waits, and is lost with the session.
            return self.is_reached
        if not self.belongs(fields):
            return False
        self.frames.append(frame)
        self.ids.append(fields[ORDER_ID])
        if self.step == "bracket" and fields[TRANSMIT] != b"1":
            return True
        self.fire(link)
        return True

    def belongs(self, fields):
        if self.frames:
            return fields[0] == PLACE and fields[PARENT] in self.ids
        if self.step in ("cancel", "probe"):
            return fields[0] == CANCEL
        if fields[0] != PLACE:
            return False
        is_known = fields[ORDER_ID] in self.proxy.known
        if self.step == "modify":
            return is_known
        is_leg = fields[PARENT] not in (b"", b"0")
        if self.step == "bracket":
            return not is_known and not is_leg and fields[TRANSMIT] != b"1"
        return not is_known and not is_leg and fields[TRANSMIT] == b"1"

    def fire(self, link):
        self.has_fired = True
        passed = {
            "unsent": b"", "half": self.half(self.frames), "first-leg": b"".join(self.frames[:1]),
            "second-leg": b"".join(self.frames[:2]),
        }.get(self.boundary, b"".join(self.frames))
        # No answer may overtake the kill.
        if self.boundary not in ANSWERS:
            link.is_held = True
            self.is_reached = True
        self.before(self.frames)
        for frame in self.frames:
            self.proxy.note(frame[4:].split(b"\0"))
        self.proxy.send(link, link.gateway, passed)

    def half(self, frames):
        """All but the last frame, and a part of that."""
        return b"".join(frames[:-1]) + frames[-1][:self.random.randrange(1, len(frames[-1]))]

    def take_answer(self, link, fields):
        if not self.has_fired or self.boundary not in ANSWERS:
            return
        kind = fields[0]
        if kind == EXECUTION and fields[2] in self.ids:
            self.has_executed = True
        if kind != ANSWERS[self.boundary]:
            return
        ids = self.ids[-1:] if self.boundary.startswith("leg-") else self.ids
        is_about = {
            STATUS: fields[1] in ids, OPEN_ORDER: fields[1] in ids, CODE: any(id in ids for id in fields[1:3]),
            EXECUTION: self.has_executed, COMMISSION: self.has_executed,
        }[kind]
        if is_about and (self.boundary != "end" or fields[2] in (b"Cancelled", b"Filled")):
            # The rest is held, and lost with the session.
            link.is_held = True
            self.is_reached = True
