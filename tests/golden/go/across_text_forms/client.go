package shop
import ("fmt"; "net/http")
func One(admin bool) {
	url := "http://shop/users"
	if admin { url += "/admin" }
	http.Get(url)
}
func Two(id string) {
	http.Get(fmt.Sprintf("%[2]s/things/%[1]s", id, "http://shop"))
}
var paths = []string{"/a", "/b"}
func Three() { http.Get("http://shop" + paths[1]) }
