; framework: laravel_http   needs: "Http::"   emits: http.consumes

; Http::get(url), Http::withToken(token)->post(url), Http::send("PUT", url)
((scoped_call_expression
  scope: (name) @_http name: (name) @method
  arguments: (arguments . (argument (_) @path .))) @site
  (#eq? @_http "Http")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head"))
((member_call_expression
  object: (_) @_http name: (name) @method
  arguments: (arguments . (argument (_) @path .))) @site
  (#match? @_http "^Http::")
  (#not-match? @_http "[bB]aseUrl\\(")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head"))
((_ name: (name) @_send
  arguments: (arguments . (argument (_) @method .) . (argument (_) @path .))) @site
  (#eq? @_send "send")
  (#match? @site "^Http::")
  (#not-match? @site "[bB]aseUrl\\("))

; $client = Http::baseUrl(url), return Http::baseUrl(url)->withToken(token)
((member_call_expression
  object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @base .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @base .)))]
  name: (name) @method
  arguments: (arguments . (argument (_) @path .))) @site
  (#eq? @_base "baseUrl")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head"))
([(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @prefix .)))] @instance
  (#eq? @_base "baseUrl"))
(return_statement [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @prefix .)))] @instance
  (#eq? @_base "baseUrl"))
((member_call_expression
  object: (member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @base .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @base .)))])
  name: (name) @method
  arguments: (arguments . (argument (_) @path .))) @site
  (#eq? @_base "baseUrl")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head"))
((member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @prefix .)))]) @instance
  (#eq? @_base "baseUrl"))
(return_statement (member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @prefix .)))]) @instance
  (#eq? @_base "baseUrl"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @base .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @base .)))]))
  name: (name) @method
  arguments: (arguments . (argument (_) @path .))) @site
  (#eq? @_base "baseUrl")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head"))
((member_call_expression object: (member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @prefix .)))])) @instance
  (#eq? @_base "baseUrl"))
(return_statement (member_call_expression object: (member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @prefix .)))])) @instance
  (#eq? @_base "baseUrl"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @base .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @base .)))])))
  name: (name) @method
  arguments: (arguments . (argument (_) @path .))) @site
  (#eq? @_base "baseUrl")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head"))
((member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @prefix .)))]))) @instance
  (#eq? @_base "baseUrl"))
(return_statement (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @prefix .)))]))) @instance
  (#eq? @_base "baseUrl"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @base .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @base .)))]))))
  name: (name) @method
  arguments: (arguments . (argument (_) @path .))) @site
  (#eq? @_base "baseUrl")
  (#any-of? @method "get" "post" "put" "patch" "delete" "head"))
((member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @prefix .)))])))) @instance
  (#eq? @_base "baseUrl"))
(return_statement (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression scope: (name) @_http name: (name) @_base arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_base arguments: (arguments . (argument (_) @prefix .)))])))) @instance
  (#eq? @_base "baseUrl"))
((member_call_expression
  object: [(variable_name) (member_access_expression) (member_call_expression object: (variable_name))] @object name: (name) @method
  arguments: (arguments . (argument (_) @path .))) @site
  (#any-of? @method "get" "post" "put" "patch" "delete" "head"))

; $client->$verb(url), $client->{$verb}(url), Http::withToken(token)->$verb(url), $client->send("PUT", url)
((member_call_expression
  object: (_) @_http name: (variable_name) @method
  arguments: (arguments . (argument (_) @path))) @site
  (#match? @_http "^Http::")
  (#not-match? @_http "[bB]aseUrl\\("))
((scoped_call_expression
  scope: (name) @_http name: (variable_name) @method
  arguments: (arguments . (argument (_) @path))) @site
  (#eq? @_http "Http"))
((member_call_expression
  object: (_) @object name: (variable_name) @method
  arguments: (arguments . (argument (_) @path))) @site
  (#match? @object "^\\$|[bB]aseUrl\\("))
((member_call_expression
  object: (_) @object name: (name) @_send
  arguments: (arguments . (argument (_) @method .) . (argument (_) @path .))) @site
  (#eq? @_send "send"))
