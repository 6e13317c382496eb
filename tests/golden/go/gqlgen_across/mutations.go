package graph

func (r *mutationResolver) CancelOrder(ctx context.Context, id string) (*Order, error) {
	return r.store.Cancel(ctx, id)
}

type mutationResolver struct{ *Resolver }
