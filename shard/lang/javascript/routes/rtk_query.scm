; framework: rtk_query   needs: "fetchBaseQuery" "injectEndpoints" "createApi("   emits: http.consumes

; createApi({ baseQuery: fetchBaseQuery({ baseUrl }), endpoints })
((call_expression
  function: (identifier) @_api
  arguments: (arguments . (object (pair
    key: (property_identifier) @_base
    value: (call_expression function: (identifier) @_fetch arguments: (arguments . (_) @options)))))) @scope
  (#eq? @_api "createApi")
  (#eq? @_base "baseQuery")
  (#eq? @_fetch "fetchBaseQuery")
  (#set! prefixed "baseUrl"))

; build.query({ query: (id) => `users/${id}` }), build.mutation({ query: (body) => ({ url, method, body }) })
((call_expression
  function: (member_expression property: (property_identifier) @_kind)
  arguments: (arguments . (object (pair key: (property_identifier) @_query value: (arrow_function body: [(string) (template_string) (binary_expression)] @path))))) @site
  (#any-of? @_kind "query" "infiniteQuery" "mutation")
  (#eq? @_query "query")
  (#set! default "GET"))
((call_expression
  function: (member_expression property: (property_identifier) @_kind)
  arguments: (arguments . (object (pair key: (property_identifier) @_query value: (arrow_function body: (parenthesized_expression) @options))))) @site
  (#any-of? @_kind "query" "infiniteQuery" "mutation")
  (#eq? @_query "query")
  (#set! path "url")
  (#set! verb "method")
  (#set! default "GET"))
