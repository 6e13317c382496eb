from elsewhere import *


def known():
    pass
