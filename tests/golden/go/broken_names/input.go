// A file in the middle of an edit: what cannot be parsed hides no name.
package tide

var lights = map[string]int{

type Harbour struct {
	berths int
}

func CountShips(ships []Ship) int {
	return (

const maxShips = 3
