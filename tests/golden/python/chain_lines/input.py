def run(session):
    first: Level = Level.HIGH
    second: Level = first
    return (
        session.query("x")
        .filter(second)
        .all()
    )
