import app
from store import open_store


def audit(fn):
    return fn


@audit
@app.route("/users", methods=["GET"])
def users(request, on_done, limit=app.LIMIT):
    store = open_store(request)
    store.find("a", limit=limit)
    on_done(store)
    (store.close)()
    app.jobs["mail"].push(*store.items())
    "a".join(map(audit, store.names))
    return [row.label() for row in store.rows()]


class Service:
    def run(self):
        self.prepare()
        self.store.save(self)
        super().run()
        return Service.build(), type(self)

    @classmethod
    def build(cls):
        return cls()


users(None, print)
