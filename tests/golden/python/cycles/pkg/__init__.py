from .a import *
from . import pkg_self
