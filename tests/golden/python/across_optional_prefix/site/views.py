def checks(request):
    pass


def login(request):
    pass
