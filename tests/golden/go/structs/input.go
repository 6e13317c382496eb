package shop

type Base struct{}

type User struct {
	Base
	*models.Audited
	Name, Mail string
	repo       *Repo
	tags       map[string][]Tag
	on         func(User) error
}

type Finder interface {
	io.Reader
	Find(id int) (*User, error)
}

type ID int64
type Alias = models.User

func New(repo *Repo) *User {
	u := &User{Name: name, repo: repo}
	list := []User{{Name: "a"}, *u}
	return &list[0]
}

func (u User) Label() string { return u.Base.Name + u.Name }
