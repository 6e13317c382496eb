from django.http import JsonResponse
from django.views import View
from django.views.decorators.http import require_POST


@require_POST
def health(request):
    return JsonResponse({})


class CartView(View):
    def get(self, request, pk):
        return JsonResponse({})

    def patch(self, request, pk):
        return JsonResponse({})
