"""What the figures were measured on."""

import importlib.metadata
import os
import platform
import subprocess


def describe(settings):
    return {
        "cpu": cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "memoryMiB": field("/proc/meminfo", "MemTotal", lambda value: int(value.split()[0]) // 1024),
        "os": platform.freedesktop_os_release().get("PRETTY_NAME", "unknown"),
        "kernel": platform.release(),
        "galley": version([settings.galley, "--version"]),
        "webkitgtk": version(["pkg-config", "--modversion", "webkit2gtk-4.1"]),
        "chromium": version([settings.chromium, "--version"]),
        "headlessShell": version([settings.shell, "--version"]),
        "playwright": importlib.metadata.version("playwright"),
        "load": os.getloadavg()[0],
        "countsAllProcesses": settings.processor.counts_all,
    }


def cpu_model():
    """ARM kernels name no model; the architecture stands in."""
    return field("/proc/cpuinfo", "model name", str) or platform.machine()


def field(path, name, parse):
    with open(path) as lines:
        for line in lines:
            key, _, value = line.partition(":")
            if key.strip() == name:
                return parse(value.strip())
    return None


def version(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return "not found"
    return done.stdout.strip().splitlines()[0] if done.stdout.strip() else "unknown"
