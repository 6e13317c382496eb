package main
import ("github.com/gin-gonic/gin"; "net/http")
func main() {
	r := gin.Default()
	r.Group("/v1").Group("/x").GET("/a", h)
	g := r.Group("/v2").Group("/y")
	g.GET("/b", h)
	routes(r.Group("/v3").Group("/z"))
}
func routes(g *gin.RouterGroup) { g.GET("/c", h) }
func h(c *gin.Context) {}
