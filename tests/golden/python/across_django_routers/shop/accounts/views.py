from django.views import View
def login(request):
    if request.method == "POST":
        return 1
class Detail(View):
    def get(self, request, pk): ...
    def post(self, request, pk): ...
