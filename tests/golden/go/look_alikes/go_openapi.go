package alike

const DefaultBasePath = "/nothing"

type notClientOperation struct{ Method, PathPattern string }

var _ = notClientOperation{Method: "GET", PathPattern: "/nothing"}
