"""A process that may open no more files, as under many connections of one stranger."""

import os
import resource
from contextlib import contextmanager, suppress


@contextmanager
def out_of_descriptors():
    """Use up all the files that this process may open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    held = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 16, hard))  # noqa: PTH208 - descriptors
    try:
        with suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        yield
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
