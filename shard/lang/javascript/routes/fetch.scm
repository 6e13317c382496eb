; framework: fetch   needs: "fetch("   emits: http.consumes

((call_expression function: [(identifier) (member_expression)] @_f arguments: (arguments . (_) @path)) @site
  (#match? @_f "^((window|globalThis|self)\\.)?fetch$")
  (#set! default "GET"))
((call_expression function: [(identifier) (member_expression)] @_f
  arguments: (arguments . (_) . (object (pair key: (_) @_key value: (_) @method)))) @site
  (#match? @_f "^((window|globalThis|self)\\.)?fetch$")
  (#match? @_key "^['\"]?method['\"]?$"))
((call_expression function: [(identifier) (member_expression)] @_f
  arguments: (arguments . (_) . (object (shorthand_property_identifier) @method))) @site
  (#match? @_f "^((window|globalThis|self)\\.)?fetch$")
  (#eq? @method "method"))
