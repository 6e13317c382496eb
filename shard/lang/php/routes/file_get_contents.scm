; framework: file_get_contents   needs: "file_get_contents" "fopen"   emits: http.consumes

; file_get_contents("http://users/1"): only with a scheme, else it is a file
((function_call_expression
  function: (name) @_get
  arguments: (arguments . (argument (_) @path .))) @site
  (#eq? @_get "file_get_contents")
  (#set! method "GET")
  (#set! absolute ""))
