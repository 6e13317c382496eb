import graphene
import strawberry

from forms import CharField, Field, Schema


class Query:
    """A search request, no root of any schema: nobody makes one of it."""

    text = Field()
    page = graphene.Int()

    @strawberry.field
    def words(self) -> list[str]:
        return self.text.split()


class Filter(graphene.InputObjectType):
    name = graphene.String()

    def resolve_name(self):
        return self.name


query = Query()


@query.field("users")
def users():
    return "query the graphql { docs } please"


Schema(Filter)
