def after(x) -> None:  # what the next line does not say
    return x


def alone(x):
    # Said before anything else.
    return x


def within(
    a,  # the first
    b="#1",
):
    """Adds."""
    return a + b
