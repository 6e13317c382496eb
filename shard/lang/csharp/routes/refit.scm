; framework: refit   needs: "Refit" "RestEase" "[Get(" "[Post(" "[Put(" "[Delete(" "[Patch("   emits: http.consumes

((interface_declaration body: (declaration_list (method_declaration
  (attribute_list (attribute
    name: (identifier) @method
    (attribute_argument_list . (attribute_argument) @path)) @site))))
  (#any-of? @method "Get" "Post" "Put" "Delete" "Patch" "Head"))
((invocation_expression
  function: (member_access_expression name: (generic_name (identifier) @_for))
  arguments: (argument_list . (argument (string_literal) @service)))
  (#eq? @_for "For"))

; AddRefitClient<Users>().ConfigureHttpClient(c => c.BaseAddress = url)
((invocation_expression
  function: (member_access_expression
    expression: (invocation_expression function: (member_access_expression name: (generic_name
      (identifier) @_add
      (type_argument_list (identifier) @class))))
    name: (identifier) @_configure)
  arguments: (argument_list (argument (lambda_expression body: [
    (assignment_expression left: (member_access_expression name: (identifier) @_base) right: (_) @service)
    (block (expression_statement (assignment_expression
      left: (member_access_expression name: (identifier) @_base)
      right: (_) @service)))]))))
  (#eq? @_add "AddRefitClient")
  (#eq? @_configure "ConfigureHttpClient")
  (#eq? @_base "BaseAddress"))
