package orders

import "github.com/machinebox/graphql"

func load(ctx context.Context) error {
	client := graphql.NewClient("http://users/graphql")
	request := graphql.NewRequest(`
		query ($id: ID!) {
			user(id: $id) { name }
		}
	`)
	return client.Run(ctx, request, nil)
}
