def ping():
    return "up"
