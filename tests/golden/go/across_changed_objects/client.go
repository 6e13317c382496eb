package shop
import ("net/http")
type Request struct { Method string; Path string }
type Client struct { base string; http *http.Client }
func (c *Client) Do(r *Request) error {
	req, _ := http.NewRequest(r.Method, c.base + r.Path, nil)
	_, err := c.http.Do(req)
	return err
}
func (c *Client) Orders() error {
	r := &Request{}
	r.Method = "GET"
	r.Path = "/orders"
	return c.Do(r)
}
func (c *Client) Users() error {
	var r Request
	r.Method = http.MethodPost
	r.Path = "/users"
	return c.Do(&r)
}
func (c *Client) Things() error {
	r := new(Request)
	r.Method = "PUT"
	r.Path = "/things"
	return c.Do(r)
}
func (c *Client) M() error {
	m := map[string]string{}
	m["path"] = "/m"
	req, _ := http.NewRequest("DELETE", "http://shop" + m["path"], nil)
	_, err := c.http.Do(req)
	return err
}
