from locust import HttpUser, task

from load.tasks import browse


class Visitor(HttpUser):
    tasks = [browse]

    @task
    def pay(self):
        self.client.post(PAY, json={})


PAY = "/load/pay"
