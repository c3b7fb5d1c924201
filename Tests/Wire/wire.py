"""What the checks share: the program's two commands, frames, and the comparison of values."""
import json
import re
import subprocess
from decimal import Decimal, InvalidOperation

VERSIONS = range(157, 201)

# What programs take for a number that was never set.
UNSET = {"", "None", "2147483647", "9223372036854775807", "1.7976931348623157e+308",
         "1.7976931348623157E308", "170141183460469231731687303715884105727"}


class Martlet:
    """`martlet wire`."""

    def __init__(self, path):
        self.path = path

    def encode(self, side, version, messages):
        """A frame with its length, or the text of an error, for each (name, fields)."""
        lines = [json.dumps({"message": name, "fields": fields}) for name, fields in messages]
        result = self._run("encode", side, version, "-", "\n".join(lines).encode() + b"\n")
        errors = {int(number): text for number, text in
                  re.findall(r"^line (\d+): (.*)$", result.stderr.decode(), re.MULTILINE)}
        if result.returncode not in (0, 6):
            raise RuntimeError(result.stderr.decode())
        found = iter(frames(result.stdout))
        answers = [errors.get(number) or next(found) for number in range(1, len(lines) + 1)]
        assert next(found, None) is None, "more frames than lines"
        return answers

    def decode(self, side, version, data):
        """An object for each frame."""
        result = self._run("decode", side, version, "--show-accounts", "-", data)
        if result.returncode not in (0, 6):
            raise RuntimeError(result.stderr.decode())
        return [json.loads(line, parse_float=Decimal) for line in result.stdout.splitlines()]

    def _run(self, verb, side, version, *rest):
        *arguments, data = rest
        command = [self.path, "wire", verb, "--server-version", str(version), "--from", side, *arguments]
        return subprocess.run(command, input=data, capture_output=True)


def frames(data):
    """The frames of a stream, each with its length in front."""
    position = 0
    while position < len(data):
        end = position + 4 + int.from_bytes(data[position:position + 4], "big")
        assert end <= len(data), "the stream ends inside a frame"
        yield data[position:end]
        position = end


def fields(frame):
    """A frame's fields, the message number first."""
    return frame[4:].split(b"\0")[:-1]


def carried(values, gates, version):
    """The values that travel at a version; `gates` names the first, or the first and the one behind the last."""
    def travels(name):
        first, end = gates[name] if isinstance(gates.get(name), tuple) else (gates.get(name, 0), 999)
        return first <= version < end
    return {name: value for name, value in values.items() if travels(name)}


def same(wanted, got):
    """Whether a value came through: numbers by value, an unset one as any program's own unset."""
    if isinstance(wanted, list):
        return isinstance(got, (list, tuple, set)) and len(wanted) == len(got) and all(
            same(one, other) for one, other in zip(wanted, got))
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(same(value, got.get(name)) for name, value in wanted.items())
    if wanted is None:
        return str(got) in UNSET
    if isinstance(wanted, bool):
        return str(got).lower() in (("true", "1") if wanted else ("false", "0"))
    if isinstance(wanted, (int, float, Decimal)):
        try:
            return Decimal(str(wanted)) == Decimal(str(got))
        except InvalidOperation:
            return False
    if wanted == "Infinity" and str(got) == "inf":
        return True
    return str(wanted) == str(got)


class Tally:
    """Checks done and differences found."""

    def __init__(self):
        self.checks = 0
        self.differences = []

    def check(self, is_right, *what):
        self.checks += 1
        if not is_right:
            self.differences.append(": ".join(str(part) for part in what))


def labels(values, prefix=""):
    """The names in an object, those inside of lists behind the list's."""
    found = set()
    for name, value in values.items():
        found.add(prefix + name)
        for entry in value if isinstance(value, list) else []:
            if isinstance(entry, dict):
                found |= labels(entry, f"{prefix}{name}.")
    return found
