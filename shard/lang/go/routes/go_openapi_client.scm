; framework: go-openapi   needs: "ClientOperation{" "DefaultBasePath"   emits: http.consumes

; transport.Submit(&runtime.ClientOperation{Method: "GET", PathPattern: "/users/{id}"})
((composite_literal type: (_) @_type
  body: (literal_value
    (keyed_element (literal_element (identifier) @_method) (literal_element (_) @method))
    (keyed_element (literal_element (identifier) @_path) (literal_element (_) @path)))) @site
  (#match? @_type "^(\\w+\\.)?ClientOperation$")
  (#eq? @_method "Method")
  (#eq? @_path "PathPattern"))

; const DefaultBasePath string = "/api/v1", of all clients below
((const_spec name: (identifier) @_base value: (expression_list . (_) @prefix .))
  (#eq? @_base "DefaultBasePath")
  (#not-match? @prefix "^\"/?\"$")
  (#set! global ""))
