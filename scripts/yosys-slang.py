#!/usr/bin/env python3
"""Runs Yosys as PyPI's pyosys has it: native, with slang, and without a program of its own.

    yosys-slang [-q] [-l LOG] [-p COMMANDS] [SCRIPT...]
    yosys-slang --version

Options mean what they mean for yosys; without -q the log goes to standard output.
"""

import argparse
import ctypes
import os
import signal
import sys
import tempfile

from pyosys import libyosys


# prctl's option: a signal to this process when its parent ends.
PR_SET_PDEATHSIG = 1


def run(scripts, log):
    """Runs scripts with all that is printed in the file `log`; returns the exit status.

    In a process of its own, as Yosys ends the process at an error. It has a group of its own, so
    that it ends with all that it started (ABC) if this process is told to. If this process is
    killed, Linux kills it too.
    """
    child = os.fork()
    if child == 0:
        os.setpgrp()
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for stream in (1, 2):
            os.dup2(log.fileno(), stream)
        design = libyosys.Design()
        for script in scripts:
            libyosys.run_pass("script " + script, design)
        sys.stdout.flush()
        os._exit(0)
    try:
        # Here too, in case a signal comes before the child has done it.
        os.setpgid(child, child)
    except OSError:
        pass

    def stop(number, _):
        try:
            os.killpg(child, signal.SIGKILL)
        except ProcessLookupError:
            pass
        sys.exit(128 + number)

    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    version = libyosys.yosys_maybe_version()
    if sys.argv[1:] in (["-V"], ["--version"]):
        print(version)
        return 0
    parser = argparse.ArgumentParser(prog="yosys-slang", description=version)
    parser.add_argument("-q", action="store_true", help="no log on standard output")
    parser.add_argument("-l", metavar="LOG", help="write the log to this file")
    parser.add_argument("-p", metavar="COMMANDS", help="commands to run before the scripts")
    parser.add_argument("scripts", metavar="SCRIPT", nargs="*")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        commands = os.path.join(folder, "commands.ys")
        with open(commands, "w") as file:
            file.write((arguments.p or "") + "\n")
        name = arguments.l or os.path.join(folder, "log")
        with open(name, "w") as log:
            status = run([commands, *arguments.scripts], log)
        with open(name, errors="replace") as log:
            lines = log.readlines()
    if not arguments.q:
        sys.stdout.writelines(lines)
    if status < 0:
        sys.stderr.write(f"ERROR: Yosys was killed by signal {-status}\n")
    elif status != 0:
        sys.stderr.writelines([line for line in lines if "ERROR" in line] or lines[-1:])
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
