"""A disk that has lost its power: what was not made durable is there, is not, or is there in part.

The preloaded library takes down every write, cut, sync, renaming and deletion below a folder, and what the process has
sent to others, in one order. From that the folder is made again as it can be behind a loss of power at any of these calls:
what was made durable is there; of what came behind, any part is, and the last write may be torn.
"""

import os

from proxy import ORDER_REF


class Record:
    """A call of the log."""

    def __init__(self, call, place, length, path, data):
        self.call, self.place, self.length, self.path, self.data = call, place, length, path, data


def read(path):
    """The records of a log, as far as it goes."""
    with open(path, "rb") as file:
        data = file.read()
    records, at = [], 0
    while True:
        end = data.find(b"\n", at)
        if end < 0:
            return records
        call, place, length, path = data[at:end].decode().split(" ", 3)
        length = int(length)
        if end + 1 + length > len(data):
            return records
        records.append(Record(call, int(place), length, path, data[end + 1:end + 1 + length]))
        at = end + 1 + length


def sent_orders(records):
    """The references of the orders that have left."""
    streams, references = {}, []
    for record in records:
        if record.call != "out":
            continue
        data = streams.get(record.path, b"") + record.data
        if data.startswith(b"API\0"):
            data = data[4:]
        while len(data) >= 4 and len(data) >= 4 + int.from_bytes(data[:4], "big"):
            length = int.from_bytes(data[:4], "big")
            fields = data[4:4 + length].split(b"\0")
            if fields[0] == b"3":
                references.append(fields[ORDER_REF].decode())
            data = data[4 + length:]
        streams[record.path] = data
    return references


class File:
    """What is in a file: what is durable, and what was done to it since."""

    def __init__(self):
        self.durable = bytearray()
        self.pending = []

    def sync(self):
        for record in self.pending:
            self.apply(self.durable, record, len(record.data))
        self.pending = []

    @staticmethod
    def apply(content, record, length):
        if record.call == "cut":
            del content[record.place:]
            content.extend(bytes(max(record.place - len(content), 0)))
            return
        content.extend(bytes(max(record.place - len(content), 0)))
        content[record.place:record.place + length] = record.data[:length]

    def after_loss(self, random):
        """What can be there."""
        content = bytearray(self.durable)
        kept = random.choice([0, 0.5, 1])
        for index, record in enumerate(self.pending):
            if random.random() >= kept:
                continue
            is_torn = index == len(self.pending) - 1
            self.apply(content, record, random.randrange(len(record.data) + 1) if is_torn else len(record.data))
        return bytes(content)


def rebuild(records, folder, target, random):
    """Makes `target` what can be left of `folder` behind these records."""
    names, changes = {}, []
    for record in records:
        name = os.path.relpath(record.path, folder) if record.call != "out" else ""
        if record.call == "out" or name.endswith("-shm") or name.endswith("(deleted)"):
            continue
        if record.call in ("write", "cut"):
            if name not in names:
                names[name] = File()
                changes.append(["create", name, names[name], False])
            names[name].pending.append(record)
        elif record.call == "sync" and name == ".":
            for change in changes:
                change[3] = True
        elif record.call == "sync" and name in names:
            names[name].sync()
            for change in changes:
                change[3] = change[3] or change[2] is names[name]
        elif record.call == "rename":
            old = os.path.relpath(record.data.decode(), folder)
            if old in names:
                names[name] = names.pop(old)
                changes.append(["rename", (old, name), names[name], False])
        elif record.call == "unlink" and name in names:
            changes.append(["unlink", name, names.pop(name), False])
    # Of what is not durable the older is there before the newer.
    left = random.randrange(sum(not change[3] for change in changes) + 1)
    found = {}
    for call, name, file, is_durable in changes:
        if not is_durable:
            left -= 1
            if left < 0:
                continue
        if call == "create":
            found[name] = file
        elif call == "rename":
            found.pop(name[0], None)
            found[name[1]] = file
        else:
            found.pop(name, None)
    os.makedirs(target, mode=0o700)
    for name, file in found.items():
        path = os.path.join(target, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as output:
            output.write(file.after_loss(random))
