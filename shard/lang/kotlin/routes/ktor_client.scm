; framework: ktor-client   needs: "io.ktor.client"   emits: http.consumes

(property_declaration
  (variable_declaration (simple_identifier) @bind)
  (call_expression [(simple_identifier) @_type (call_expression (simple_identifier) @_type)])
  (#eq? @_type "HttpClient"))
(class_parameter (simple_identifier) @bind (user_type (type_identifier) @_type)
  (#eq? @_type "HttpClient"))
(parameter (simple_identifier) @bind (user_type (type_identifier) @_type)
  (#eq? @_type "HttpClient"))

; each NAME NAMES CALL BLOCK
;   @method | "get" "post" "put" "delete" "patch" "head" | | @site
;   @_call | "request" | @site |
; each ANYONE
;   (#not-match? @object "^[A-Z]")
;   (#match? @object "^(this\\.)?([hH]ttpClient|client)$") (#set! anyone "")
; client.get(url) { .. }
((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) $NAME))
  (call_suffix (value_arguments . (value_argument) @path))) @site
  (#any-of? $NAME $NAMES)
  (#not-match? @path "^HttpRequestBuilder\\b")
  $ANYONE
  (#set! style "rfc")
  (#set! default "GET"))
; client.get { url("..") }, client.request { url { host = ".."; path("..") } }
((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) $NAME))
  (call_suffix (annotated_lambda (lambda_literal (statements
    (call_expression (simple_identifier) @_url) @path $BLOCK))))) $CALL
  (#any-of? $NAME $NAMES)
  (#eq? @_url "url")
  $ANYONE
  (#set! style "rfc")
  (#set! default "GET"))
; client.get(base) { url { path("..") } }
((call_expression
  (call_expression
    (navigation_expression (_) @object (navigation_suffix (simple_identifier) $NAME))
    (call_suffix (value_arguments . (value_argument)))) @site
  (call_suffix (annotated_lambda (lambda_literal (statements
    (call_expression (simple_identifier) @_url (call_suffix (annotated_lambda))) @path)))))
  (#any-of? $NAME $NAMES)
  (#eq? @_url "url")
  $ANYONE
  (#set! continues ""))
; end
; end

; client.submitForm(url, ..)
((call_expression
  (navigation_expression (_) @object (navigation_suffix (simple_identifier) @_call))
  (call_suffix (value_arguments . (value_argument) @path))) @site
  (#any-of? @_call "submitForm" "submitFormWithBinaryData")
  (#set! style "rfc")
  (#set! method "POST"))

; method = HttpMethod.Get in what follows client.request
((call_expression
  (call_expression (navigation_expression (_) (navigation_suffix (simple_identifier) @_call))) @site
  (call_suffix (annotated_lambda (lambda_literal (statements (assignment
    (directly_assignable_expression (simple_identifier) @_method)
    (_) @method))))))
  (#eq? @_call "request")
  (#eq? @_method "method"))
((call_expression
  (navigation_expression (_) (navigation_suffix (simple_identifier) @_call))
  (call_suffix (annotated_lambda (lambda_literal (statements (assignment
    (directly_assignable_expression (simple_identifier) @_method)
    (_) @method)))))) @site
  (#eq? @_call "request")
  (#eq? @_method "method"))

; HttpRequestBuilder().apply { method = HttpMethod.Get; url("..") }
((call_expression
  (navigation_expression (_) @site (navigation_suffix (simple_identifier)))
  (call_suffix (annotated_lambda (lambda_literal (statements (assignment
    (directly_assignable_expression (simple_identifier) @_method)
    (_) @method))))))
  (#eq? @_method "method")
  (#set! chain "HttpRequestBuilder"))
((call_expression
  [(navigation_expression (_) (navigation_suffix (simple_identifier) @_url)) (simple_identifier) @_url]) @site @path
  (#eq? @_url "url")
  (#set! chain "HttpRequestBuilder")
  (#set! style "rfc")
  (#set! default "GET"))

; HttpClient { defaultRequest { url("http://x") } }: of this client, else of all that have no other
; each INSTALL
;   (simple_identifier) @_default
;   (call_expression (simple_identifier) @_install (call_suffix (value_arguments . (value_argument) @_default)))
((property_declaration
  (variable_declaration (simple_identifier) @bind)
  (call_expression (call_suffix (annotated_lambda (lambda_literal (statements (call_expression
    $INSTALL
    (call_suffix (annotated_lambda (lambda_literal (statements
      (call_expression (simple_identifier) @_url) @prefix)))))))))))
  (#any-of? @_default "defaultRequest" "DefaultRequest")
  (#eq? @_url "url"))
((call_expression
  $INSTALL
  (call_suffix (annotated_lambda (lambda_literal (statements
    (call_expression (simple_identifier) @_url) @prefix)))))
  (#any-of? @_default "defaultRequest" "DefaultRequest")
  (#eq? @_url "url")
  (#set! global ""))
; end
