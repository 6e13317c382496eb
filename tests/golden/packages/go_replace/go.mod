module example.org/app
require (
	github.com/acme/common v1.0.0
	github.com/acme/local v1.0.0
	github.com/acme/inner v0.0.0
	github.com/up/stream v1.2.3
)
replace github.com/acme/local => ../local
replace (
	github.com/acme/inner => ./inner
	github.com/up/stream v1.2.3 => github.com/acme/stream-fork v1.2.4
)
exclude github.com/acme/common v0.9.0
retract v0.1.0
