import graphene


class UserQuery(graphene.ObjectType):
    users = graphene.List(graphene.String)

    def resolve_users(root, info):
        return []
