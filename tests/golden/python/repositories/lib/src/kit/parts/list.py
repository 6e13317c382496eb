def parts():
    return []
