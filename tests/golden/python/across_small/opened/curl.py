import pycurl

from opened.settings import STOCK


def drop(item):
    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, STOCK + "/items/" + item)
    curl.setopt(pycurl.CUSTOMREQUEST, "DELETE")
    curl.perform()
