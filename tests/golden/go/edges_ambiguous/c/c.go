package c

import (
	"os"

	"amb/a"
)

func Run(x interface{ Close() }, f func()) {
	v := a.Load()
	v.Close()
	os.Load()
	Load := f
	Load()
}
