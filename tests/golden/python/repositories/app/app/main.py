import kit
import kit.errors as broken
from kit import Client, connect as dial, parts
from kit.client import Base, decorated
from kit.errors import KitError
from missing import Client as Elsewhere
from .client import Client as Own


class Special(kit.Client):
    limit = Base.retries

    def run(self, other: Client, unknown):
        reply = self.send("a")
        reply.body()
        other.send("b").body()
        self.close()
        Own().send("c")
        Elsewhere().send("d")
        unknown.send("e")
        super().send("f")
        self.last.body()
        return self.url


@decorated
def main(maybe: "kit.Client | None" = None):
    with dial("x") as client:
        client.send("g")
    for reply in Client.local().all():
        reply.body()
    kit.connect("y").session.reset()
    parts()
    if isinstance(maybe, Client):
        maybe.send("h")
    try:
        pass
    except (KitError, broken.KitError) as error:
        print(error.code, kit.errors.KitError)
    print(kit.__version__)
