def run():
    pass


def stop():
    pass


def dumps(x):
    pass
