; framework: tornado   needs: "tornado"   emits: http.provides

; Application([(r"/users/(\d+)", UserHandler), url(r"/", Home)])
((tuple . [(string) (concatenated_string) (binary_operator)] @path . [(identifier) (attribute)] @handler) @site
  (#match? @handler "[A-Z]\\w*$")
  (#match? @path "^[rRbBuUfF]*[\"']+\\^?(/|\\(|\\{)")
  (#set! style "regex")
  (#set! class "")
  (#set! default "ANY"))
((call
  function: [(identifier) (attribute)] @_url
  arguments: (argument_list . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#match? @_url "^(\\w+\\.)*(url|URLSpec|Rule)$")
  (#match? @handler "[A-Z]\\w*$")
  (#set! style "regex")
  (#set! class "")
  (#set! default "ANY"))

; What a RequestHandler answers.
((class_definition
  name: (identifier) @class
  body: (block (function_definition name: (identifier) @method @handler) @site))
  (#any-of? @method "get" "post" "put" "patch" "delete"))
((class_definition
  name: (identifier) @class
  body: (block (decorated_definition definition: (function_definition name: (identifier) @method @handler) @site)))
  (#any-of? @method "get" "post" "put" "patch" "delete"))

; and what it is derived from
((class_definition superclasses: (argument_list [(identifier) (attribute)] @class)) @scope)
