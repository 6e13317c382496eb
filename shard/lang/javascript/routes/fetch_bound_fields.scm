; framework: fetch_bound   needs: "fetch.bind(" "= fetch;" "globalThis.fetch" "window.fetch"   unless: "window.fetch =" "globalThis.fetch =" "global.fetch =" "self.fetch ="   emits: http.consumes   only: javascript

(field_definition property: (_) @bind value: [(identifier) (member_expression)] @_fetch
  (#match? @_fetch "^((window|globalThis|global|self)\\.)?fetch$"))
