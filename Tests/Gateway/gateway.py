"""Starts the simulated gateway of a build, and ends it."""

import json
import os
import signal
import socket
import subprocess
import tempfile


class Gateway:
    """A running `martlet gateway run`."""

    def __init__(self, program, *options, control=True):
        self.folder = tempfile.TemporaryDirectory(prefix="gateway-")
        self.socket_path = os.path.join(self.folder.name, "control")
        command = [program, "gateway", "run", "--port", "0", *options]
        if control:
            command += ["--control", self.socket_path]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        first = self.process.stdout.readline().strip()
        if not first.startswith("listening on "):
            self.process.kill()
            raise RuntimeError(f"no gateway: {first!r} {self.process.stderr.read()}")
        self.host, port = first.removeprefix("listening on ").rsplit(":", 1)
        self.port = int(port)

    def control(self, **command):
        """Carries out one control command; gives its answer."""
        with socket.socket(socket.AF_UNIX) as pipe:
            pipe.settimeout(60)
            pipe.connect(self.socket_path)
            pipe.sendall(json.dumps(command).encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                part = pipe.recv(65536)
                if not part:
                    raise RuntimeError(f"the gateway closed its control socket: {answer!r}")
                answer += part
        return json.loads(answer)

    def stop(self):
        """Ends it as a service manager does; gives its exit status and its last words."""
        self.process.send_signal(signal.SIGTERM)
        try:
            _, words = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, words = self.process.communicate()
            words += "\nit had to be killed"
        self.folder.cleanup()
        return self.process.returncode, words

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()


class Checks:
    """Counts what held and tells what did not."""

    def __init__(self, name):
        self.name = name
        self.passed = 0
        self.failures = []

    def __call__(self, held, what):
        if held:
            self.passed += 1
        else:
            self.failures.append(what)
            print(f"FAILED {self.name}: {what}", flush=True)
        return bool(held)
