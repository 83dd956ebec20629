#!/usr/bin/env python3
"""A device for the platform in Python, written from docs/device-link.md alone, with a stock MQTT library.

    pip install "paho-mqtt>=2"
    python3 device.py --mac 0c383e000001 --secret-file secret.txt --state device.json

The secret is shown once when the device is added in the console. Clauses of docs/device-link.md stand beside the
lines that keep them. It can be rebooted: it goes down, stays away for --reboot-seconds, and says so in its next hello.
SIGUSR1 begins a call, SIGUSR2 ends it: a reboot with `whenIdle` waits for that. Its firmware can be upgraded: it loads
and checks the file, drops it, and comes back under the new version. Resources can be upgraded: it loads and checks
their files, drops them, and writes down which it has.
"""
import argparse
import hashlib
import http.client
import json
import os
import queue
import random
import signal
import sys
import threading
import time
import urllib.error
import urllib.request

import paho.mqtt.client as mqtt

REMEMBERED = 64        # "keeps the ids and results of its last 64 commands over a reboot"
BUSY = {"status": "accepted", "code": "busy"}  # "it is done when the call ends that goes on now"
LATE_HELLO_SECONDS = 2  # "a first now that comes more than 2 s after the hello went out is not used"


ACCEPTED = {"status": "accepted"}
TRIES = 8              # "give up after 8 tries that brought nothing new"
PATIENCE_SECONDS = 3600  # "give up after an hour without a byte"
FIRST_FIRMWARE = "1.0.0"
ROOM = 16 * 1024 * 1024  # for resources, bytes


def load_all(files, tell):
    """Loads and checks several files; the first that is wrong ends it (device-link.md, `resourceUpgrade`)."""
    whole, before = sum(file["size"] for file in files), 0
    for file in files:
        wrong = load(file, tell, before, whole)
        if wrong:
            return wrong
        before += file["size"]
    return None


def load(file, tell, before=0, whole=None):
    """Loads and checks a file (device-link.md, "Files"). Answers what is wrong with it, or None.

    The signature is NOT checked here: the standard library has no Ed25519. A device that is sold checks `signature` and
    `signedBy` against the key that it keeps before it loads anything, with a library such as `cryptography`.
    """
    at = most = tries = told = 0
    etag = None
    digest = hashlib.sha256()
    told_at = new_at = time.monotonic()
    while True:
        request = urllib.request.Request(file["url"])
        if at:  # "ask for the rest"
            request.add_header("Range", f"bytes={at}-")
            if etag:
                request.add_header("If-Range", etag)
        patience = None
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                if response.status == 200:  # "200 begins again"
                    at, digest = 0, hashlib.sha256()
                    if int(response.headers.get("Content-Length", file["size"])) != file["size"]:
                        return "checksum"
                etag = response.headers.get("ETag")
                while block := response.read(65_536):
                    at += len(block)
                    if at > file["size"]:
                        return "checksum"
                    digest.update(block)  # a real device writes it to its flash here
                    percent, now = (before + at) * 100 // (whole or file["size"]), time.monotonic()
                    # "not more often than each 10 % and each 2 s, and once a minute as long as bytes come"
                    if percent < 100 and (percent >= told + 10 and now >= told_at + 2 or now >= told_at + 60):
                        told, told_at = percent, now
                        tell(percent)
        except urllib.error.HTTPError as error:
            if error.code in (429, 503) and error.headers.get("Retry-After", "").isdigit():
                patience = int(error.headers["Retry-After"])
            elif error.code < 500 and error.code not in (408, 416, 429):
                return "download"
            elif error.code == 416:
                at, digest = 0, hashlib.sha256()
        except (OSError, http.client.HTTPException):
            pass  # broken off
        if at == file["size"]:
            return None if digest.hexdigest() == file["sha256"].lower() else "checksum"
        if at > most:
            most, tries, new_at = at, 0, time.monotonic()
        elif patience is None:
            tries += 1
        if tries >= TRIES or time.monotonic() - new_at > PATIENCE_SECONDS:
            return "download"
        pause = min(60, 2 ** tries) * random.uniform(0.5, 1)
        time.sleep(max(pause, (patience or 0) * random.uniform(1, 1.25)))


class Memory:
    """What survives a reboot: command ids with their results, oldest first, and why the device went down."""

    def __init__(self, path):
        self.path = path
        self.data = {"commands": {}, "boot": "power", "reboots": 0, "firmware": FIRST_FIRMWARE, "resources": []}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.data.update(json.load(file))

    @property
    def commands(self):
        return self.data["commands"]

    def save(self):
        """Whole or not at all, also when the power goes."""
        finished = [key for key, entry in self.commands.items() if entry["result"]]
        for key in finished[: max(0, len(self.commands) - REMEMBERED)]:
            del self.commands[key]
        fresh = self.path + ".new"
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(self.data, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self.path)


class Device:
    def __init__(self, options, secret):
        self.options = options
        self.mac = options.mac
        self.memory = Memory(options.state)
        self.inbox = queue.SimpleQueue()  # a signal puts into it, too
        self.calls = 0
        self.waiting = []         # commands that wait for the end of a call
        self.said_hello = threading.Event()
        self.hello_at = None      # monotonic seconds
        self.hellos = 0           # on this connection
        self.connection = 0
        self.offset = None        # milliseconds to add to our monotonic clock to get the platform's time
        self.booted = time.monotonic()
        self.boot = None
        self.firmware = self.memory.data["firmware"]  # "never one that is only installed"
        # "Client id = user name = the MAC", "clean session"; a command is acknowledged once it is written down.
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=self.mac, clean_session=True, protocol=mqtt.MQTTv311, manual_ack=True)
        self.client.username_pw_set(self.mac, secret)
        self.client.reconnect_delay_set(1, 60)
        self.client.on_connect = self.on_connect
        self.client.on_disconnect = lambda *_: self.said_hello.clear()
        self.client.on_message = self.on_message

    # --- connection ---------------------------------------------------------------------------------------------

    def on_connect(self, client, _userdata, _flags, reason, _properties):
        if reason.is_failure:
            print(f"refused: {reason}", file=sys.stderr, flush=True)
            return
        self.offset, self.hellos = None, 0  # the clock is learnt on every connection
        self.connection += 1
        client.subscribe(f"d/{self.mac}/command", qos=1)
        self.hello()                        # "first message of every connection"
        self.said_hello.set()
        print(f"online {self.boot}", flush=True)
        self.boot = "reconnect"

    def hello(self):
        self.hello_at, self.hellos = time.monotonic(), self.hellos + 1
        self.send("hello", {
            "model": "Python", "sn": f"PY-{self.mac}", "firmware": self.firmware, "ip": "127.0.0.1", "uptime": int(time.monotonic() - self.booted),
            "boot": self.boot, "capabilities": ["reboot", "firmwareUpgrade", "resourceUpgrade"], "configVersion": "1",
        })

    def send(self, kind, payload):
        return self.client.publish(f"d/{self.mac}/{kind}", json.dumps(payload), qos=1)

    # --- clock --------------------------------------------------------------------------------------------------

    def heard(self, now, at, is_welcome):
        """The largest `now - monotonic` of this connection; one that was delayed never lowers it."""
        if self.offset is not None:
            self.offset = max(self.offset, now - at * 1000)
        elif self.hellos > 1 and not is_welcome:
            return  # it may have left before the second hello went out
        elif at - self.hello_at > LATE_HELLO_SECONDS:
            self.hello()
        else:
            self.offset = now - at * 1000

    def expired(self, expires_at):
        return self.offset is not None and time.monotonic() * 1000 + self.offset >= expires_at

    # --- commands -----------------------------------------------------------------------------------------------

    def on_message(self, client, _userdata, message):
        at = time.monotonic()
        try:
            command = json.loads(message.payload)
            command["id"], command["action"], command["args"], command["expiresAt"] + command["now"]
        except (ValueError, KeyError, TypeError):
            command = None  # without an id there is nothing to answer to
        if command:
            self.heard(command["now"], at, command["action"] == "welcome")
        if not command or command["action"] == "welcome":
            client.ack(message.mid, message.qos)
        else:
            self.inbox.put((command, message, self.connection))

    def acknowledge(self, message, connection):
        if connection == self.connection:  # on another one the packet id means something else
            self.client.ack(message.mid, message.qos)

    def answer(self, command, result):
        """Only after a hello: that is the first message of a connection, and whatever waits goes behind it."""
        self.said_hello.wait()
        payload = {"id": command["id"], **result, "at": int(time.time() * 1000)}
        if command.get("trace"):
            payload["trace"] = command["trace"]
        return self.send("result", payload)

    def finish(self, command, result):
        """The result is on disk before it is told, and is marked as told at its PUBACK."""
        entry = self.memory.commands[command["id"]]
        entry["result"] = result
        self.memory.save()
        self.told(command, entry)

    def told(self, command, entry):
        info = self.answer(command, entry["result"])
        try:
            info.wait_for_publish(30)
        except (RuntimeError, ValueError):
            return  # the connection broke just now: it goes out again on the next one, and after a restart
        if info.is_published():
            entry["told"] = True
            self.memory.save()

    def handle(self, command, message, connection):
        known = self.memory.commands.get(command["id"])
        if known:  # it is finished, waits for the end of a call, or loads
            self.acknowledge(message, connection)
            waits = any(other["id"] == command["id"] for other in self.waiting)
            self.answer(command, known["result"] or (BUSY if waits else ACCEPTED))
            return
        self.memory.commands[command["id"]] = {"trace": command.get("trace"), "result": None, "told": False}
        self.memory.save()  # "writes the id down before it acts"
        self.acknowledge(message, connection)
        if command["action"] not in ("reboot", "firmwareUpgrade", "resourceUpgrade"):
            self.finish(command, {"status": "fail", "code": "unsupported"})
        elif self.expired(command["expiresAt"]):
            self.finish(command, {"status": "fail", "code": "expired"})
        elif command["action"] != "reboot":
            self.answer(command, ACCEPTED)
            threading.Thread(target=self.load, args=(command,), daemon=True).start()
        else:
            self.when_idle(command)

    def load(self, command):
        """Beside everything else: other commands are answered meanwhile."""
        def tell(percent):
            self.answer(command, {"status": "progress", "progress": percent})

        if command["action"] == "resourceUpgrade":
            wrong = "space" if self.room_after(command["args"]) < 0 else load_all(command["args"]["files"], tell)
        else:
            wrong = load(command["args"], tell)
        self.inbox.put(lambda: self.loaded(command, wrong))

    def loaded(self, command, wrong):
        if wrong:
            self.finish(command, {"status": "fail", "code": wrong})
            return
        self.answer(command, {"status": "downloaded"})
        if command["action"] == "resourceUpgrade":
            self.keep(command)
        else:
            self.when_idle(command)

    def others(self, resource):
        """What the device has beside what a resource takes the place of."""
        same = (resource["kind"], resource["name"])
        return [other for other in self.memory.data["resources"] if (other["kind"], other["name"]) != same]

    def room_after(self, resource):
        return ROOM - sum(file["size"] for one in [*self.others(resource), resource] for file in one["files"])

    def keep(self, command):
        """All of its files or none: they and the result are one write. No restart."""
        kind, name, files = (command["args"][key] for key in ("kind", "name", "files"))
        kept = [{key: file[key] for key in ("name", "size", "sha256")} for file in files]  # a link is a secret
        self.memory.data["resources"] = [*self.others(command["args"]), {"kind": kind, "name": name, "files": kept}]
        self.finish(command, {"status": "success"})

    def when_idle(self, command):
        if self.calls and command["args"].get("whenIdle", True):
            self.waiting.append(command)
            self.answer(command, BUSY)
        else:
            self.do(command)

    def do(self, command):
        if command["action"] == "firmwareUpgrade":
            self.memory.data["boot"] = "upgrade"
            self.memory.data["firmware"] = command["args"]["version"]
        else:
            self.answer(command, ACCEPTED)
            self.memory.data["boot"] = "reboot"
            self.memory.data["reboots"] += 1
        # Written down, and told behind the next hello: success says that it is back.
        self.memory.commands[command["id"]]["result"] = {"status": "success"}
        self.memory.save()
        self.reboot(command["id"])

    def ring(self, calls):
        self.calls = calls
        self.inbox.put(None)

    def idle(self):
        """A call began or ended; "also one that expires while it waits for the end of a call"."""
        self.said_hello.wait()
        self.send("state", {"at": int(time.time() * 1000), "calls": self.calls})
        while self.waiting and not self.calls:
            command = self.waiting.pop(0)
            if self.expired(command["expiresAt"]):
                self.finish(command, {"status": "fail", "code": "expired"})
            else:
                self.do(command)

    def reboot(self, command_id):
        print(f"rebooting for {command_id}", flush=True)
        self.client.disconnect()
        self.client.loop_stop()
        time.sleep(self.options.reboot_seconds)
        # A program of its own again, as a device that comes back: nothing but the file is left.
        os.execv(sys.executable, [sys.executable, *sys.argv])

    # --- life ---------------------------------------------------------------------------------------------------

    def run(self):
        self.boot = self.memory.data["boot"]
        self.memory.data["boot"] = "power"
        unfinished = [key for key, entry in self.memory.commands.items() if not entry["result"]]
        for key in unfinished:  # fell down in the middle and cannot know
            self.memory.commands[key]["result"] = {"status": "fail", "code": "unknown"}
        self.memory.save()
        self.connect()
        for key, entry in list(self.memory.commands.items()):
            if not entry["told"]:
                self.told({"id": key, "trace": entry["trace"]}, entry)
        signal.signal(signal.SIGUSR1, lambda *_: self.ring(1))
        signal.signal(signal.SIGUSR2, lambda *_: self.ring(0))
        while True:
            come = self.inbox.get()
            if callable(come):
                come()
            elif come:
                self.handle(*come)
            else:
                self.idle()

    def connect(self):
        if self.options.cafile:
            self.client.tls_set(self.options.cafile)
        pause = 1.0
        while True:
            try:
                self.client.connect(self.options.host, self.options.port, keepalive=120)
                break
            except OSError as error:
                print(f"no connection: {error}", file=sys.stderr, flush=True)
                time.sleep(random.random() * pause)
                pause = min(60.0, pause * 2)
        self.client.loop_start()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=1883)
    parser.add_argument("--cafile", help="turns TLS on; the authority that signed the platform's certificate")
    parser.add_argument("--mac", required=True, help="12 lower-case hex digits")
    parser.add_argument("--secret-file", required=True, help="a file with the device's secret on its first line")
    parser.add_argument("--state", required=True, help="file for what has to survive a reboot")
    parser.add_argument("--reboot-seconds", type=float, default=3.0)
    options = parser.parse_args()
    with open(options.secret_file, encoding="utf-8") as file:
        secret = file.readline().strip()
    Device(options, secret).run()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
