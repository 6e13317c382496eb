package shop
import ("net/http"; "fmt"; "strings"; "net/url"; "path"; "strconv")
const base = "http://shop/api"
func F1(id string, n int) { http.Get(fmt.Sprint(base, "/a11")) }
func F2(id string, n int) { http.Get(base + "/" + strings.ToLower("a12")) }
func F3(id string, n int) { http.Get(strings.TrimLeft(base, " ") + "/a14") }
func F4(id string, n int) { http.Get(strings.Trim(base, "/") + "/a15") }
