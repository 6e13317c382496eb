package main

import (
	"context"

	"github.com/acme/contracts/genproto/offers"
)

type offerServer struct{}

func (s *offerServer) ListOffers(ctx context.Context, r *offers.ListRequest) (*offers.ListReply, error) {
	return nil, nil
}

func (s *offerServer) WatchOffers(r *offers.WatchRequest, stream offers.Offers_WatchOffersServer) error {
	return nil
}

// None of them is asked for from outside.
func (s *offerServer) Close() error { return nil }

func (s *offerServer) Refresh(ctx context.Context) error { return nil }

func (s *offerServer) find(ctx context.Context, r *offers.ListRequest) (*offers.ListReply, error) {
	return nil, nil
}
