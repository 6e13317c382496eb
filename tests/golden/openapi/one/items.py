def one(id):
    return {"id": id}
