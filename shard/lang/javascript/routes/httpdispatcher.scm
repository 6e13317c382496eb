; framework: httpdispatcher   needs: "httpdispatcher"   emits: http.provides

; dispatcher.onGet("/path", handler), dispatcher.onPost(/^\/path\/[0-9]*/, handler)
((call_expression
  function: (member_expression property: (property_identifier) @_on)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression)] @path . (_))) @site
  (#eq? @_on "onGet")
  (#set! method "GET"))
((call_expression
  function: (member_expression property: (property_identifier) @_on)
  arguments: (arguments . (regex) @path . (_))) @site
  (#eq? @_on "onGet")
  (#set! style "regex")
  (#set! method "GET"))
((call_expression
  function: (member_expression property: (property_identifier) @_on)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression)] @path . (_))) @site
  (#eq? @_on "onPost")
  (#set! method "POST"))
((call_expression
  function: (member_expression property: (property_identifier) @_on)
  arguments: (arguments . (regex) @path . (_))) @site
  (#eq? @_on "onPost")
  (#set! style "regex")
  (#set! method "POST"))
