; framework: fetch_bound   needs: "fetch.bind(" "?? fetch" "|| fetch" "= fetch;" "= fetch," "= fetch)" "globalThis.fetch" "window.fetch"   unless: "window.fetch =" "globalThis.fetch =" "global.fetch =" "self.fetch ="   emits: http.consumes

; #send = fetch.bind(globalThis), this.send = options.fetch ?? fetch: what has the function as its value is called like it.
(variable_declarator name: (identifier) @bind value: [(identifier) (member_expression)] @_fetch
  (#match? @_fetch "^((window|globalThis|global|self)\\.)?fetch$"))
(variable_declarator name: (identifier) @bind value: (binary_expression right: [(identifier) (member_expression)] @_fetch)
  (#match? @_fetch "^((window|globalThis|global|self)\\.)?fetch$"))
((call_expression function: (member_expression) @_fetch) @instance (#match? @_fetch "^((window|globalThis|global|self)\\.)?fetch\\.bind$"))
(assignment_expression left: [(identifier) (member_expression)] @bind right: [(identifier) (member_expression)] @_fetch
  (#match? @_fetch "^((window|globalThis|global|self)\\.)?fetch$"))
(assignment_expression left: [(identifier) (member_expression)] @bind right: (binary_expression right: [(identifier) (member_expression)] @_fetch)
  (#match? @_fetch "^((window|globalThis|global|self)\\.)?fetch$"))
((call_expression function: (identifier) @object arguments: (arguments . (_) @path)) @site
  (#set! default "GET"))
((call_expression function: (identifier) @object arguments: (arguments . (_) . (_) @options)) @site
  (#set! verb "method")
  (#set! open ""))
((call_expression function: (member_expression) @object arguments: (arguments . (_) @path)) @site
  (#set! default "GET"))
((call_expression function: (member_expression) @object arguments: (arguments . (_) . (_) @options)) @site
  (#set! verb "method")
  (#set! open ""))
