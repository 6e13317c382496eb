def users(request): return 1
def user(request, id): return 1
