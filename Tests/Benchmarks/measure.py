"""Runs a command and prints its wall-clock seconds, CPU seconds and peak memory in megabytes.

    measure.py COMMAND…

The CPU seconds are those of the command and all its children.
"""
import os
import resource
import subprocess
import sys
import time

begin = time.monotonic()
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
wall = time.monotonic() - begin
use = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{wall:.2f} {use.ru_utime + use.ru_stime:.2f} {use.ru_maxrss // 1024} {status}")
sys.exit(0 if status == 0 else 1)
