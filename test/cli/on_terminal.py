"""Runs a program on a terminal of its own: on_terminal.py ROWS COLUMNS PROGRAM WORD...

What comes in on stdin is typed, what the program shows goes to stdout. Lines on file descriptor 3, if it is open, change
the size of the terminal (`size ROWS COLUMNS`) or send the program a signal (`signal SIGTERM`). Ends with the program's exit
code.
"""

import fcntl
import os
import pty
import selectors
import signal
import struct
import sys
import termios

rows, columns, *words = sys.argv[1:]
CONTROL = 3
try:
    # Before the terminal is opened, which would get this number.
    os.set_inheritable(CONTROL, False)
    has_control = True
except OSError:
    has_control = False
pid, terminal = pty.fork()
if pid == 0:
    # The window has its size before the program can look.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
    os.execvp(words[0], words)


def control(line):
    match line.split():
        case ["size", rows, columns]:
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
        case ["signal", name]:
            os.kill(pid, signal.Signals[name])


watched = selectors.DefaultSelector()
watched.register(terminal, selectors.EVENT_READ)
watched.register(0, selectors.EVENT_READ)
if has_control:
    watched.register(CONTROL, selectors.EVENT_READ)
shows = True
while shows:
    for key, _ in watched.select():
        try:
            piece = os.read(key.fd, 65536)
        except OSError:
            piece = b""
        if has_control and key.fd == CONTROL and piece:
            for line in piece.decode().splitlines():
                control(line)
        elif key.fd == 0 and piece:
            os.write(terminal, piece)
        elif key.fd == 0 or (has_control and key.fd == CONTROL):
            watched.unregister(key.fd)
        elif piece:
            os.write(1, piece)
        else:
            shows = False
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
