from django.http import JsonResponse
from django.urls import include, path, re_path
from django.views import View
from django.views.generic import DetailView
from django.views.decorators.http import require_GET, require_http_methods
from rest_framework import generics
from rest_framework.decorators import api_view

from . import views

BASE = "shop/"


class CartView(View):
    def get(self, request, pk):
        return request.GET.get("/nothing")

    @transaction.atomic
    def delete(self, request, pk):
        return cache.get("/nothing")

    def helper(self):
        pass


class ItemList(generics.ListCreateAPIView):
    queryset = Item.objects.all()


class ItemDetail(generics.RetrieveUpdateDestroyAPIView):
    queryset = Item.objects.all()


class Page(DetailView):
    pass


@api_view(["GET", "PUT"])
def both(request):
    return JsonResponse({})


@require_http_methods(["POST"])
@csrf_exempt
def only_post(request):
    return JsonResponse({})


@require_GET
def only_get(request):
    return JsonResponse({})


def health(request):
    """path("docs/nothing", health)"""
    return JsonResponse({})


urlpatterns = [
    path("", health),
    path("carts/<int:pk>/", CartView.as_view(), name="cart"),
    path(BASE + "items/", ItemList.as_view()),
    path(BASE + "items/<uuid:pk>", csrf_exempt(ItemDetail.as_view())),
    re_path(r"^pages/(?P<slug>[-\w]+)/(?:archive/)?$", Page.as_view()),
    re_path(r"^files/(?P<name>.*)$", views.files),
    re_path(r"^v(\d+)\.json$", views.versions),
    path("both/", both),
    path("post/", csrf_exempt(only_post)),
    path("get/", only_get),
    path("elsewhere/", views.Elsewhere.as_view()),
    path("sets/", views.Things.as_view({"get": "list", "post": "create"})),
    path("about/", TemplateView.as_view(template_name="about.html")),
    path("admin/", admin.site.urls),
    path("api/", include("api.urls")),
    # path("commented/", health),
]

os.path.join("not", "a route")
settings = [environ.get("/nothing"), Path("x", health), url_for("x", health)]
