def make(url):
    return Registry.find(url)
