def dumps(x):
    return x
