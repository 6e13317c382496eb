def use(x):
    x.go()
    x.only()
    x.nowhere()
    print(x)


def helper(x):
    unknown_function(x)
