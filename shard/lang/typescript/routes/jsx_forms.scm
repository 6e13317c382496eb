; framework: html   needs: "<form" "<Form" "etcher.Form"   emits: http.consumes   with: jsx_element

; <form method="post" action="/login">: an action that is a function asks for no URL
((jsx_opening_element
  name: [(identifier) (member_expression)] @_form
  attribute: (jsx_attribute (property_identifier) @_action [
    (string) @path
    (jsx_expression [(string) (template_string) (binary_expression)] @path)])) @site
  (#any-of? @_form "form" "Form" "fetcher.Form")
  (#eq? @_action "action")
  (#not-match? @path "^.(javascript:|mailto:|#)")
  (#set! default "GET"))
((jsx_opening_element
  name: [(identifier) (member_expression)] @_form
  attribute: (jsx_attribute (property_identifier) @_method [(string) @method (jsx_expression (string) @method)])) @site
  (#any-of? @_form "form" "Form" "fetcher.Form")
  (#eq? @_method "method")
  (#match? @method "(?i)^.(get|post|put|patch|delete).$"))
