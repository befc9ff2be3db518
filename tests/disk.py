"""A small file system to fill, where one may be mounted."""

import os
import subprocess
from contextlib import contextmanager, suppress

import pytest

SIZE = 64 * 1024 * 1024


@contextmanager
def small_disk(place):
    """Mount a file system of `SIZE` bytes at ``place``; skips the test where that is not possible."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system to fill")
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(place)]
    mounted = subprocess.run(command, check=False, capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"no small file system can be mounted here: {mounted.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill_up(disk):
    """Let others take all of the disk: a file named ``others``."""
    with (disk / "others").open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass
    assert os.statvfs(disk).f_bavail == 0
