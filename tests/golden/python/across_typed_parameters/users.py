from client import Client


def fetch_users(client: Client):
    return client.request("GET", "users")


def run(base):
    return fetch_users(Client(base))
