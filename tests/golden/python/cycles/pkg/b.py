from .a import first
from pkg import first as again


def second():
    first()
    again()
    import pkg.a as late
    late.even(2)
