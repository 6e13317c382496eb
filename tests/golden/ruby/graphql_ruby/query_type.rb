module Types
  class QueryType < Types::BaseObject
    field :all_users, [Types::UserType], null: false
    field :user, Types::UserType, null: true do
      argument :id, ID
    end
    field :orders, resolver: Resolvers::Orders

    def all_users
      User.all
    end

    def user(id:)
      User.find(id)
    end
  end

  class MutationType < Types::BaseObject
    field :create_user, mutation: Mutations::CreateUser
  end
end
