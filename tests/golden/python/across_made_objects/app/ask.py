import requests

from app.config import AgentConfig, Later, Versioned, hosts, load


def ask(config: AgentConfig, text):
    return requests.post(config.prompt_url, json={"text": text})


def main():
    ask(load(), "x")
    requests.get(hosts.users + "/users")
    requests.get(hosts.orders + "/orders")
    requests.get(Versioned(url="http://versioned").url + "/items")


def others(box):
    # made by a function, not by a class: what it does with the keyword is not known
    requests.get(make(url="http://made").url)
    requests.get(Later("http://not-opened").url)
    requests.get(box.open(url="http://opened").url)
