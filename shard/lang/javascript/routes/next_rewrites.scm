; framework: next-rewrites   needs: "rewrites"   emits: http.forwards

; rewrites: () => [{ source: "/api/:path*", destination: "http://users/:path*" }]
((object
  (pair key: (_) @_source value: (_) @path)
  (pair key: (_) @_destination value: (_) @service)) @site
  (#match? @_source "^.?source.?$")
  (#match? @_destination "^.?destination.?$")
  (#set! style "named")
  (#set! method "ANY"))
