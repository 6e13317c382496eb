from .list import parts

__all__ = ["parts"]
