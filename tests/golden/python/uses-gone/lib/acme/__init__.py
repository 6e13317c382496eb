from .client import *
from ._native import speedup


def connect():
    pass
