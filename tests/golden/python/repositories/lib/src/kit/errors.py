class KitError(Exception):
    code = 1
