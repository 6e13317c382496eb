; framework: angular   needs: "HttpClient" "angular/http'" "HttpService" "HTTP_INTERCEPTORS" "withInterceptors("   emits: http.consumes

; { provide: HTTP_INTERCEPTORS, useClass: ApiInterceptor }, withInterceptors([api, auth])
((object
  (pair key: (property_identifier) @_provide value: (identifier) @_token)
  (pair key: (property_identifier) @_use value: (identifier) @intercept))
  (#eq? @_provide "provide")
  (#eq? @_token "HTTP_INTERCEPTORS")
  (#any-of? @_use "useClass" "useExisting")
  (#set! global ""))
((call_expression function: (identifier) @_with arguments: (arguments . (_) @intercept))
  (#eq? @_with "withInterceptors")
  (#set! global ""))
; NestJS: this.http.axiosRef.interceptors.request.use(config => …) is axios'

; request.clone({ url: environment.api + request.url }), also where the URL was made before
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @_clone)
  arguments: (arguments . (object (pair key: (property_identifier) @_url value: (_) @prefix))))
  (#eq? @_clone "clone")
  (#eq? @_url "url")
  (#set! changes "url"))
((call_expression
  function: (member_expression object: (identifier) @object property: (property_identifier) @_clone)
  arguments: (arguments . (object (shorthand_property_identifier) @prefix)))
  (#eq? @_clone "clone")
  (#eq? @prefix "url")
  (#set! changes "url"))
