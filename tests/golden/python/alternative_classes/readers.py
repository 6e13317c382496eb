import sys

if sys.platform == "win32":

    class Reader:
        def read(self):
            return open_window()

        def only_there(self):
            return 1

else:

    class Reader:
        def read(self):
            return open_file()

        def only_here(self):
            return 2


def open_window():
    return 1


def open_file():
    return 2
