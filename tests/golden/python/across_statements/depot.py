import requests


def parts(base, id):
    path = [base, "crates"]
    path.append(id)
    return requests.get("/".join(path))


def total(base, id):
    url = base + "/pallets"
    url += f"/{id}"
    return requests.get(url)


def pages(base):
    page = 1
    page += 1
    return requests.get(f"{base}/pages/{page}")
