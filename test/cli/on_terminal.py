"""Runs a program on a terminal of its own: on_terminal.py ROWS COLUMNS PROGRAM WORD...

What comes in on stdin is typed, what the program shows goes to stdout. Ends with the program's exit code.
"""

import fcntl
import os
import pty
import selectors
import struct
import sys
import termios

rows, columns, *words = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    # The window has its size before the program can look.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
    os.execvp(words[0], words)

watched = selectors.DefaultSelector()
watched.register(terminal, selectors.EVENT_READ)
watched.register(0, selectors.EVENT_READ)
shows = True
while shows:
    for key, _ in watched.select():
        try:
            piece = os.read(key.fd, 65536)
        except OSError:
            piece = b""
        if key.fd == 0 and piece:
            os.write(terminal, piece)
        elif key.fd == 0:
            watched.unregister(0)
        elif piece:
            os.write(1, piece)
        else:
            shows = False
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
