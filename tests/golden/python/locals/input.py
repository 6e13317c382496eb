def work(path: Path, users: list[User], *rest: int, depth: int = 3, **more):
    first, second = Reader(path), Writer(path)
    left, right = first.pair()
    with path.open() as handle, Lock():
        handle.read()
    for user in users:
        user.touch()
    for key, value in first.items():
        value.go()
    try:
        if (match := first.match()) is not None:
            match.group()
    except (ValueError, KeyError) as error:
        error.args
    except models.Missing as missing:
        missing.path
    total: Total = sum(rest)
    names = [item.name for item in users if item.active]
    return sorted(users, key=lambda each: each.name + names)


for top in work(None):
    top.show()
