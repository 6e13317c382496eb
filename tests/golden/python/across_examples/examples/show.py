from client import Client


def show():
    return Client("http://localhost:7700").get_task("17")
