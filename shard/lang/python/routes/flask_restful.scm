; framework: flask   needs: "restful" "restx" "restplus"   emits: http.provides

; api.add_resource(User, "/users", "/users/<id>"), or a method of that name around it; flask.scm says what the class answers.
((call
  function: (attribute object: (_) @object attribute: (identifier) @_add)
  arguments: (argument_list . [(identifier) (attribute)] @handler [(string) (concatenated_string) (binary_operator)] @path)) @site
  (#match? @_add "^add_(\\w+_)?resource$")
  (#set! anyone "")
  (#set! class "")
  (#set! default "ANY"))

; Api(app, prefix="/api"), Api(blueprint): below the blueprint's prefix
((call
  function: [(identifier) (attribute)] @_make
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix))) @instance
  (#match? @_make "(^|\\.)Api$")
  (#eq? @_key "prefix"))
((call function: [(identifier) (attribute)] @_make arguments: (argument_list . (identifier) @object) @_arguments) @instance
  (#match? @_make "(^|\\.)Api$")
  (#not-match? @_arguments "[^_]prefix\\s*=")
  (#set! prefix ""))
((call
  function: (attribute object: [(identifier) (attribute)] @object attribute: (identifier) @_add)
  arguments: (argument_list . [(identifier) (attribute)] @bind) @_arguments)
  (#eq? @_add "add_namespace")
  (#not-match? @_arguments "\\bpath\\s*=")
  (#set! prefix ""))
((call
  function: (attribute object: [(identifier) (attribute)] @object attribute: (identifier) @_add)
  arguments: (argument_list . [(identifier) (attribute)] @bind (keyword_argument name: (identifier) @_key value: (_) @prefix)))
  (#eq? @_add "add_namespace")
  (#eq? @_key "path")
  (#set! replaces ""))

; Namespace("users", path="/people"): the path is the name when it is not said.
((call function: [(identifier) (attribute)] @_make arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @prefix))) @instance
  (#match? @_make "(^|\\.)([nN]amespace)$")
  (#eq? @_key "path"))
((call
    function: [(identifier) (attribute)] @_make
    arguments: (argument_list . (_) @prefix) @_arguments) @instance
  (#match? @_make "(^|\\.)([nN]amespace)$")
  (#not-match? @_arguments "path\\s*=")
  (#set! style "loose"))
