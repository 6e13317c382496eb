; framework: swr   needs: "useSWR" "sendBeacon("   emits: http.consumes

((call_expression
  function: (identifier) @_use
  arguments: (arguments . [(string) (template_string)] @path . (_))) @site
  (#any-of? @_use "useSWR" "useSWRImmutable" "useSWRInfinite")
  (#match? @path "^.(/|https?:|\\$\\{)")
  (#set! method "GET"))
((call_expression
  function: (identifier) @_use
  arguments: (arguments . [
    (ternary_expression consequence: [(string) (template_string)] @path)
    (binary_expression operator: "&&" right: [(string) (template_string)] @path)
    (array . [(string) (template_string)] @path)
    (arrow_function body: [(string) (template_string)] @path)
    (arrow_function body: (ternary_expression consequence: [(string) (template_string)] @path))] . (_))) @site
  (#any-of? @_use "useSWR" "useSWRImmutable" "useSWRInfinite")
  (#match? @path "^.(/|https?:|\\$\\{)")
  (#set! method "GET"))
((call_expression
  function: (member_expression property: (property_identifier) @_send)
  arguments: (arguments . (_) @path)) @site
  (#eq? @_send "sendBeacon")
  (#set! method "POST"))
