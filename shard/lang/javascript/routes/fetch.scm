; framework: fetch   needs: "etch(" "etch<" "new Request(" "useLazyFetch("   emits: http.consumes

; fetch(url, { method }), and what has its shape: Nuxt, ofetch, node-fetch and the like under their usual names.
((call_expression function: [(identifier) (member_expression)] @_f arguments: (arguments . (_) @path)) @site
  (#match? @_f "^(((window|globalThis|global|self)\\.)?fetch|\\$fetch(\\.raw)?|use(Lazy)?Fetch|ofetch|node[Ff]etch|crossFetch|unfetch|undici\\.fetch)$")
  (#not-match? @path "^new Request\\b|import\\.meta\\.url\\b")
  (#set! default "GET"))
((call_expression function: [(identifier) (member_expression)] @_f arguments: (arguments . (_) . (_) @options)) @site
  (#match? @_f "^(((window|globalThis|global|self)\\.)?fetch|\\$fetch(\\.raw)?|use(Lazy)?Fetch|ofetch|node[Ff]etch|crossFetch|unfetch|undici\\.fetch)$")
  (#set! verb "method")
  (#set! open "")
  (#set! base "baseURL"))
((new_expression constructor: (identifier) @_r arguments: (arguments . (_) @path)) @site
  (#eq? @_r "Request")
  (#set! default "GET"))
((new_expression constructor: (identifier) @_r arguments: (arguments . (_) . (_) @options)) @site
  (#eq? @_r "Request")
  (#set! verb "method")
  (#set! open ""))
