"""Headless Chromium through its DevTools protocol, over a pipe: JSON messages that end in NUL."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# Chromium reads commands on descriptor 3 and answers on 4; subprocess alone can't number them.
_LAUNCH = """
import fcntl, os, sys
commands, answers = (fcntl.fcntl(int(fd), fcntl.F_DUPFD, 10) for fd in sys.argv[1:3])
os.dup2(commands, 3); os.dup2(answers, 4)
os.execvp(sys.argv[3], sys.argv[3:])
"""


def chromium() -> str | None:
    """The path of Chromium, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One Chromium with one page after the other."""

    def __init__(self, program: str, profile: Path) -> None:
        read_commands, self._to = os.pipe()
        self._from, write_answers = os.pipe()
        options = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--no-first-run",
            "--disable-background-networking",
            f"--user-data-dir={profile}",
            "--remote-debugging-pipe",
        ]
        fds = (read_commands, write_answers)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, *map(str, fds), program, *options],
            pass_fds=fds,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for fd in fds:
            os.close(fd)
        self._buffer, self._count = b"", 0
        self.events: list[dict[str, Any]] = []

    def close(self) -> None:
        os.close(self._to)  # Chromium ends when nobody can command it
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
        os.close(self._from)

    def command(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next(30.0)
            if answer.get("id") == self._count:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self.events.append(answer)

    def _next(self, seconds: float) -> dict[str, Any]:
        until = time.monotonic() + seconds
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from], [], [], max(0.0, until - time.monotonic()))
            assert ready, "Chromium doesn't answer"
            read = os.read(self._from, 1 << 20)
            assert read, "Chromium has ended"
            self._buffer += read
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def open(self, path: Path, **media: str) -> Page:
        return Page(self, path, media)


class Page:
    """A page that has been loaded; `media` emulates media features such as prefers_color_scheme."""

    def __init__(self, browser: Browser, path: Path, media: dict[str, str]) -> None:
        self._browser, self.url = browser, path.resolve().as_uri()
        browser.events.clear()
        self._target = browser.command("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.command("Target.attachToTarget", targetId=self._target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Runtime", "Log", "Network", "Page"):
            self.command(f"{domain}.enable")
        self.resize(1440, 900)
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        self.command("Emulation.setEmulatedMedia", features=features)
        self.command("Page.navigate", url=self.url)
        self.until("document.documentElement?.dataset.drawn !== undefined")

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *error: object) -> None:
        self._browser.command("Target.closeTarget", targetId=self._target)

    def command(self, method: str, **params: Any) -> dict[str, Any]:
        return self._browser.command(method, self._session, **params)

    def evaluate(self, expression: str) -> Any:
        answer = self.command(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, expression: str, seconds: float = 20.0) -> None:
        deadline = time.monotonic() + seconds
        while not self.evaluate(expression):
            assert time.monotonic() < deadline, f"never true: {expression}"
            time.sleep(0.02)

    def resize(self, width: int, height: int) -> None:
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def text(self, selector: str) -> str:
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")

    def click(self, x: float, y: float, modifiers: int = 0) -> None:
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self._mouse(kind, x, y, modifiers)

    def move(self, x: float, y: float) -> None:
        self._mouse("mouseMoved", x, y, 0, button="none")

    def drag(self, start: tuple[float, float], stop: tuple[float, float]) -> None:
        self._mouse("mousePressed", *start, 0)
        for step in range(1, 6):
            x, y = (a + (b - a) * step / 5 for a, b in zip(start, stop, strict=True))
            self._mouse("mouseMoved", x, y, 0)
        self._mouse("mouseReleased", *stop, 0)

    def _mouse(self, kind: str, x: float, y: float, modifiers: int, button: str = "left") -> None:
        self.command(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1, modifiers=modifiers
        )

    def key(self, key: str, modifiers: int = 0) -> None:
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        self.command("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=modifiers, **text)
        self.command("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def type(self, text: str) -> None:
        self.command("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        shot = self.command("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))

    def complaints(self) -> list[str]:
        """What the console and the log say, uncaught exceptions, and requests for anything but the page."""
        self.evaluate("0")  # events that came before this answer have been read
        found = []
        for event in self._browser.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.consoleAPICalled":
                found.append(f"console: {params['args']}")
            elif method == "Log.entryAdded":
                found.append(f"log: {params['entry']['text']}")
            elif method == "Runtime.exceptionThrown":
                found.append(f"exception: {params['exceptionDetails']}")
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if url != self.url and not url.startswith("data:"):
                    found.append(f"request: {url}")
        return found
