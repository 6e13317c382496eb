def __getattr__(name):
    return load(name)
