package internal

import (
	"context"

	"github.com/labstack/echo/v4"
)

type Server struct{ store *Store }

func (s *Server) FindPets(ctx echo.Context, params FindPetsParams) error {
	return ctx.JSON(200, s.store.FindPets(context.Background()))
}

func (s *Server) GetPetsId(ctx echo.Context, id int64) error {
	return nil
}

func (s *Server) DeletePet(ctx context.Context, request DeletePetRequestObject) (DeletePetResponseObject, error) {
	return nil, nil
}

type Store struct{}

func (s *Store) FindPets(ctx context.Context) []Pet { return nil }

func (s *Store) AddPet(ctx context.Context, p Pet) error { return nil }
