package alike

import "github.com/gin-gonic/gin"

func ginNot(c *gin.Context) {
	c.Get("key")
	c.Query("q")
	c.Request.Header.Get("/header")
	c.JSON(200, gin.H{"path": "/x"})
}
