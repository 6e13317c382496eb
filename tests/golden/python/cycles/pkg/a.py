from .b import second
from .a import first as itself


def first():
    second()
    itself()


def even(n):
    return even(n - 1)
