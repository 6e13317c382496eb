; framework: grpc   needs: "@connectrpc" "@bufbuild" "nice-grpc" "ClientGrpc"   emits: grpc.consumes

; NestJS: this.cart = this.client.getService('Cart')
(assignment_expression
  left: [(identifier) (member_expression)] @bind
  right: (call_expression
    function: (member_expression property: (property_identifier) @_get)
    arguments: (arguments . (string) @path .))
  (#eq? @_get "getService"))
(variable_declarator
  name: (identifier) @bind
  value: (call_expression
    function: (member_expression property: (property_identifier) @_get)
    arguments: (arguments . (string) @path .))
  (#eq? @_get "getService"))

; ConnectRPC, nice-grpc: const cart = createClient(Cart, transport)
(variable_declarator
  name: (identifier) @bind
  value: (call_expression
    function: (identifier) @_create
    arguments: (arguments . [(identifier) (member_expression)] @path))
  (#any-of? @_create "createClient" "createPromiseClient" "createCallbackClient"))
(assignment_expression
  left: [(identifier) (member_expression)] @bind
  right: (call_expression
    function: (identifier) @_create
    arguments: (arguments . [(identifier) (member_expression)] @path))
  (#any-of? @_create "createClient" "createPromiseClient" "createCallbackClient"))
