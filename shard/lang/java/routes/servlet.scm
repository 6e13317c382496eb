; framework: servlet   needs: "WebServlet"   emits: http.provides

; @WebServlet("/x"), (urlPatterns = {"/x", "/y"})
((class_declaration
  (modifiers (annotation
    name: (identifier) @_servlet
    arguments: (annotation_argument_list [
      (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
      (element_value_array_initializer (_) @path)
      (element_value_pair
        key: (identifier) @_key
        value: [
          (string_literal) @path (binary_expression) @path (identifier) @path (field_access) @path
          (element_value_array_initializer (_) @path)])])))
  body: (class_body (method_declaration name: (identifier) @site @_do)))
  (#match? @_do "^do(Get|Post|Put|Delete)$")
  (#eq? @_servlet "WebServlet")
  (#any-of? @_key "value" "urlPatterns"))

((class_declaration
  (modifiers (annotation name: (identifier) @_servlet))
  body: (class_body (method_declaration name: (identifier) @site @handler @_do)))
  (#eq? @_servlet "WebServlet")
  (#eq? @_do "doGet")
  (#set! method "GET"))
((class_declaration
  (modifiers (annotation name: (identifier) @_servlet))
  body: (class_body (method_declaration name: (identifier) @site @handler @_do)))
  (#eq? @_servlet "WebServlet")
  (#eq? @_do "doPost")
  (#set! method "POST"))
((class_declaration
  (modifiers (annotation name: (identifier) @_servlet))
  body: (class_body (method_declaration name: (identifier) @site @handler @_do)))
  (#eq? @_servlet "WebServlet")
  (#eq? @_do "doPut")
  (#set! method "PUT"))
((class_declaration
  (modifiers (annotation name: (identifier) @_servlet))
  body: (class_body (method_declaration name: (identifier) @site @handler @_do)))
  (#eq? @_servlet "WebServlet")
  (#eq? @_do "doDelete")
  (#set! method "DELETE"))
