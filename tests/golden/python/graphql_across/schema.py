import graphene

import users.schema


class Query(users.schema.UserQuery, graphene.ObjectType):
    pass


schema = graphene.Schema(query=Query)
