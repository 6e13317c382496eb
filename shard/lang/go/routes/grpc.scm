; framework: grpc   needs: "google.golang.org/grpc"   emits: grpc.provides

; cart.RegisterCartServer(server, NewCartServer()), &cartServer{}
((call_expression
  function: [(selector_expression field: (field_identifier) @_register) (identifier) @_register] @path
  arguments: (argument_list . (_) . [(identifier) (selector_expression) (call_expression)] @object .)) @site
  (#match? @_register "^Register[A-Z]\\w*Server$"))
((call_expression
  function: [(selector_expression field: (field_identifier) @_register) (identifier) @_register] @path
  arguments: (argument_list . (_) . [
    (composite_literal type: (_) @object)
    (unary_expression operand: (composite_literal type: (_) @object))] .)) @site
  (#match? @_register "^Register[A-Z]\\w*Server$"))
