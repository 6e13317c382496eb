; framework: fetch_bound   needs: "fetch.bind(" "= fetch;" "= fetch," "= fetch)" "globalThis.fetch" "window.fetch" "typeof fetch"   unless: "window.fetch =" "globalThis.fetch =" "global.fetch =" "self.fetch ="   emits: http.consumes

(public_field_definition name: (_) @bind value: [(identifier) (member_expression)] @_fetch
  (#match? @_fetch "^((window|globalThis|global|self)\\.)?fetch$"))
