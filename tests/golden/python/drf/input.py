from rest_framework import mixins, routers, viewsets
from rest_framework.decorators import action


class UserViewSet(viewsets.ModelViewSet):
    @action(detail=True, methods=["post", "delete"])
    def follow(self, request, pk=None):
        pass

    @action(detail=False, url_path="me/settings")
    def settings(self, request):
        pass

    @property
    def list(self):
        pass


class TagViewSet(mixins.ListModelMixin, mixins.DestroyModelMixin, viewsets.GenericViewSet):
    queryset = Tag.objects.all()


class NoteViewSet(viewsets.ViewSet):
    def list(self, request):
        return Response(cache.get("/nothing"))

    def retrieve(self, request, pk=None):
        pass


class CountryViewSet(viewsets.ReadOnlyModelViewSet):
    pass


router = routers.DefaultRouter()
router.register("users", UserViewSet)
router.register(r"tags", TagViewSet, basename="tag")
router.register(prefix="countries", viewset=CountryViewSet)
nested = routers.NestedSimpleRouter(router, r"users", lookup="user")
nested.register(r"notes", NoteViewSet)
admin.site.register(User, UserAdmin)
signals.register("created")
