package web

import "testing"

func TestHandle(t *testing.T) {
	New().Handle(1)
}
