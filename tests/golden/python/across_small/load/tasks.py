from load.paths import CATALOGUE

# what locust hands to a task has its client


def browse(locust):
    locust.client.get(CATALOGUE + "/1")
