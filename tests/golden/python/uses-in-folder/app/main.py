import acme_second
import acme_tools
from acme_kit import make


def run():
    acme_second.again()
    acme_tools.helper()
    return make().area()
