from depot.client import Depot, Shelf, Yard


class Crates(Depot):
    def one(self, id):
        return self.get(f"{self.base}/crates/{id}")

    def drop(self, id):
        return self.delete(self.base + "/crates/" + id)


async def trucks(yard: Yard):
    return await yard.get("/trucks")


def shelf(s: Shelf):
    return s.get("/shelf")
