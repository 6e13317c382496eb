// Package store: the type is here, its methods are in another file.
package store

import pb "example.com/shop/api/shopv1"

type Server struct {
	pb.UnimplementedCartServer
	carts map[string]string
}
