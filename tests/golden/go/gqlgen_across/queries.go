package graph

func (r *queryResolver) Orders(ctx context.Context) ([]*Order, error) {
	return r.store.All(ctx)
}

type queryResolver struct{ *Resolver }
