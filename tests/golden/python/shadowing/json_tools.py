def dumps(x):
    pass
