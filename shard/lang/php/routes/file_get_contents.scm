; framework: file_get_contents   needs: "file_get_contents" "fopen"   emits: http.consumes

; file_get_contents("http://users/1"): only with a scheme, else it is a file
((function_call_expression
  function: (name) @_get
  arguments: (arguments . (argument (_) @path .))) @site
  (#eq? @_get "file_get_contents")
  (#set! default "GET")
  (#set! absolute ""))
; its third argument: stream_context_create(["http" => ["method" => "POST"]])
((function_call_expression
  function: (name) @_get
  arguments: (arguments (argument (function_call_expression
    function: (name) @_create
    arguments: (arguments . (argument (array_creation_expression (array_element_initializer
      (_) @_http (array_creation_expression (array_element_initializer . (_) @_key . (_) @method .)))))))))) @site
  (#eq? @_get "file_get_contents")
  (#eq? @_create "stream_context_create")
  (#match? @_http "^['\"]https?['\"]$")
  (#match? @_key "^['\"]method['\"]$"))
