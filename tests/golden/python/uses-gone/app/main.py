import json

import acme
from acme import Client, Session, speedup
from acme.lazy import anything
from acme.open import perhaps


def run():
    acme.connect()
    acme.disconnect()
    json.loads(json.dumps(1))
    return Client(), Session(), speedup, anything, perhaps
