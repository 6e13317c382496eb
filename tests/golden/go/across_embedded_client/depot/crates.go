package depot

func (c *Client) Crate(id string) { c.Get(c.base + "/crates/" + id + ".json?key=1") }

func (c *Crates) All() { c.Get(c.base + "/crates") }

func Pages(c *Client) { page(c, "/pages?size=10", 0) }

func page(c *Client, path string, at int) { c.Get(c.base + path + "&at=" + string(at)) }

func none(c *Cache) { c.Get("/values") }
