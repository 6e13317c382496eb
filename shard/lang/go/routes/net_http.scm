; framework: net/http   needs: "net/http"   unless: "gorilla/mux" "mux.NewRouter" "go-chi/chi" "julienschmidt/httprouter"   emits: http.provides

; http.HandleFunc("GET /path/{id}", handler), mux.Handle("/path/", handler); Handle("/", router) only mounts
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_handle)
  arguments: (argument_list . (_) @path . (_) .)) @site
  (#any-of? @_handle "HandleFunc" "Handle")
  (#not-match? @site "\\.Handle\\(\\s*\"/\",")
  (#not-match? @site "\\bhttp\\.StripPrefix\\(\\s*\"[^\"]*\",\\s*\\w+\\)")
  (#set! anyone "")
  (#set! style "mux")
  (#set! default "ANY"))

; mux.Handle("/api/", http.StripPrefix("/api", apiMux)): what apiMux answers is below /api
((call_expression
  function: (selector_expression operand: (_) @object field: (field_identifier) @_handle)
  arguments: (argument_list . (_) . (call_expression
    function: (selector_expression field: (field_identifier) @_strip)
    arguments: (argument_list . (_) @prefix . [(identifier) (call_expression) (selector_expression)] @bind .))))
  (#eq? @_handle "Handle")
  (#eq? @_strip "StripPrefix")
  (#not-match? @bind "FileServer"))

; whose handler has a name, alone or in http.HandlerFunc(handler), auth(handler)
((call_expression
  function: (selector_expression field: (field_identifier) @_handle)
  arguments: (argument_list . (_) . [
    (identifier) @handler
    (selector_expression) @handler
    (call_expression arguments: (argument_list . [(identifier) (selector_expression)] @handler .))] .)) @site
  (#any-of? @_handle "HandleFunc" "Handle"))
