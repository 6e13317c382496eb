import requests


def apply(function, text):
    return function(text)


def lengths(texts):
    return [apply(len, text) for text in texts] + [apply(str.upper, "/books")]


def chosen(table, name):
    return table[name]("/books/none")


def headers():
    return apply(requests.structures.CaseInsensitiveDict, "/no")
