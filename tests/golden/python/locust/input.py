from locust import HttpUser, task


class Shopper(HttpUser):
    @task
    def browse(self):
        self.client.get("/products")
        self.client.post("/cart", {"id": 1})
        self.cache.get("/nothing")


def checkout(l):
    l.client.post("/cart/checkout")
