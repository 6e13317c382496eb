import pycurl
from io import BytesIO

BASE = "http://mailer:9000"

def send(body):
    c = pycurl.Curl()
    c.setopt(c.URL, BASE + "/mails")
    c.setopt(c.POSTFIELDS, body)
    c.perform()

def show(id):
    c = pycurl.Curl()
    c.setopt(pycurl.URL, f"{BASE}/mails/{id}")
    c.perform()

def drop(id):
    c = pycurl.Curl()
    c.setopt(pycurl.URL, f"{BASE}/mails/{id}")
    c.setopt(pycurl.CUSTOMREQUEST, "DELETE")
    c.perform()

def options(o):
    o.setopt("URL", "/nothing")
