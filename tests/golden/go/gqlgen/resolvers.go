package graph

import "context"

func (r *queryResolver) Users(ctx context.Context, first *int) ([]*User, error) {
	return r.store.All(ctx)
}

func (r *queryResolver) UserByID(ctx context.Context, id string) (*User, error) {
	return r.store.One(ctx, id)
}

func (r *mutationResolver) CreateUser(ctx context.Context, name string) (*User, error) {
	return r.store.Create(ctx, name)
}

func (r *userResolver) Orders(ctx context.Context, obj *User) ([]int, error) {
	return nil, nil
}

func (r *queryResolver) helper() int { return 1 }
