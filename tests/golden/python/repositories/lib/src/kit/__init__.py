from .client import Client as Client
from .client import connect
from . import errors
from ._version import __version__
from .parts import *

def __getattr__(name):
    raise AttributeError(name)
