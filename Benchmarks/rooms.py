#!/usr/bin/env python3
"""Sums the instructions of a callgrind out file by room, that is by source folder Sources/<Room>/.

    rooms.py CALLGRIND_OUT BARS [--root REPOSITORY] [--by room|file|object] [--json]

Instructions are a line's own (what a call cost inside is counted where it was spent). A line of a room's file counts to that
room, wherever the compiler put the code. A line of another file inside a function of a room (the standard library's generic
code, inlined or specialised there, or code the compiler made up) counts to the room of the function. What is left is
named by package when it comes from one, else by the object file it is in (martlet, libswiftCore.so, libc.so.6, ...).
Prints a table of room, instructions per bar, share. Ends with 1 when the sum is not the total callgrind wrote.
"""
import argparse, json, os, re, sys


class Names:
    """callgrind's name compression: "(3) name" the first time, "(3)" afterwards"""

    def __init__(self):
        self.known = {}

    def __call__(self, text):
        m = re.match(r"\((\d+)\)(?: (.*))?$", text)
        if not m:
            return text
        if m[2] is not None:
            self.known[m[1]] = m[2]
        return self.known.get(m[1], "???")


def read(lines, event="Ir"):
    """callgrind out file -> ({(object, file of the function, file of the line): own cost}, total as the file states it, or None)

    A part begins with its header, "positions:" and "events:" tell the columns. In the body
      ob=, fl=, fn=       object, file and name of the function the next lines belong to
      fi=, fe=            the next lines are of another file, inlined; back again
      cob=, cfi=, cfl=, cfn=, calls=   a call; the line after calls= has its inclusive cost
      jump=, jcnd=        a jump; the line after has a place only
      POSITIONS COSTS     costs may be fewer than the events: those left out are 0
    """
    objects, files = Names(), Names()
    cost, total, column, places = {}, None, 0, 1
    ob = fl = here = "???"
    skip = False
    add = 0  # of the line group (ob, fl, here), stored when one of them changes
    for line in lines:
        line = line.rstrip("\n")
        if not line or line[0] == "#":
            continue
        if line[0] in "0123456789+-*":
            if skip:
                skip = False
                continue
            x = line.split()
            if len(x) > places + column:
                add += int(x[places + column])
            continue
        key, eq, value = line.partition("=")
        if eq and key in ("ob", "fl", "fi", "fe"):
            if add:
                k = (ob, fl, here)
                cost[k] = cost.get(k, 0) + add
                add = 0
            if key == "ob":
                ob = objects(value)
            elif key == "fl":
                fl = here = files(value)
            else:
                here = files(value)
        elif eq and key == "cob":
            objects(value)  # may be where a name is given
        elif eq and key in ("cfi", "cfl", "jfi"):
            files(value)
        elif eq and key in ("calls", "jump", "jcnd"):
            skip = True
        elif not (eq and key in ("fn", "cfn", "jfn")):
            key, _, value = line.partition(":")
            if key == "events":
                column = value.split().index(event)
            elif key == "positions":
                places = len(value.split())
            elif key == "totals" and len(value.split()) > column:
                total = (total or 0) + int(value.split()[column])
    if add:
        k = (ob, fl, here)
        cost[k] = cost.get(k, 0) + add
    return cost, total


def room_of(path, root):
    """Sources/<Room>/... of this repository -> Room"""
    path = os.path.normpath(path)
    for head in (root.rstrip("/") + "/Sources/", "Sources/"):
        if path.startswith(head) and "/" in path[len(head):]:
            return path[len(head):].split("/")[0]
    return None


def row_of(ob, fl, here, root):
    room = room_of(here, root) or room_of(fl, root)
    if room:
        return room
    for path in (here, fl):
        m = re.search(r"/checkouts/([^/]+)/", path)
        if m:
            return "package " + m[1]
    return "(%s)" % (os.path.basename(ob) if ob not in ("", "???") else "unknown")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("out")
    ap.add_argument("bars", type=int)
    ap.add_argument("--root", default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))), help="default: this repository")
    ap.add_argument("--by", choices=("room", "file", "object"), default="room")
    ap.add_argument("--json", action="store_true")
    a = ap.parse_args()
    with open(a.out, errors="replace") as f:
        cost, total = read(f)
    name = {"room": lambda k: row_of(*k, os.path.abspath(a.root)), "file": lambda k: k[2], "object": lambda k: k[0]}[a.by]
    rows = {}
    for k, v in cost.items():
        rows[name(k)] = rows.get(name(k), 0) + v
    all_ = sum(rows.values())
    order = sorted(rows.items(), key=lambda r: (-r[1], r[0]))
    if a.json:
        print(json.dumps({"bars": a.bars, "instructions": all_, "rows": [{"room": n, "instructions": v, "per_bar": v / a.bars} for n, v in order]}))
    else:
        w = max([len(n) for n, _ in order] + [len(a.by), 5])
        print("%-*s %20s %8s" % (w, a.by, "instructions per bar", "share"))
        for n, v in order:
            print("%-*s %20.2f %7.2f%%" % (w, n, v / a.bars, 100.0 * v / (all_ or 1)))
        print("%-*s %20.2f %7.2f%%   (%d instructions, %d bars)" % (w, "total", all_ / a.bars, 100.0, all_, a.bars))
    if total is not None and total != all_:
        print("rooms.py: the rows sum to %d, callgrind's total is %d" % (all_, total), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
