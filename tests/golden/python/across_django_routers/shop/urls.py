from django.urls import include, path, re_path
from rest_framework.routers import DefaultRouter
from shop.views import TagViewSet, OrderViewSet, SearchViewSet, health, OrderList
from shop.accounts import urls as account_urls

router = DefaultRouter()
router.register(r"tags", TagViewSet)
router.register("orders", OrderViewSet, basename="orders")
other = DefaultRouter(trailing_slash=False)
other.register("items", TagViewSet)

labels = DefaultRouter()
labels.register("labels", SearchViewSet)

urlpatterns = [
    re_path(r"^api/", include([
        re_path("^health/$", health),
        *router.urls,
    ])),
    path("v2/", include((other.urls, "v2"), namespace="v2")),
    path("accounts/", include("shop.accounts.urls", namespace="accounts")),
    path("v3/", include([*labels.urls])),
    path("acc2/", include((account_urls, "x"))),
]
urlpatterns += [path("list/", OrderList.as_view())]
