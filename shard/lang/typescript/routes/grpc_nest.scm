; framework: grpc_nest   needs: "GrpcMethod" "GrpcStreamMethod" "GrpcStreamCall"   emits: grpc.provides

; @GrpcMethod('Cart', 'GetCart'); without the second argument it is the method's own name
(class_body
  (decorator (call_expression
    function: (identifier) @_grpc
    arguments: (arguments . (string) @path . (string) @method .)))
  . (decorator)*
  . (method_definition name: (property_identifier) @handler)
  (#any-of? @_grpc "GrpcMethod" "GrpcStreamMethod" "GrpcStreamCall"))
(class_body
  (decorator (call_expression
    function: (identifier) @_grpc
    arguments: (arguments . (string) @path .)))
  . (decorator)*
  . (method_definition name: (property_identifier) @handler)
  (#any-of? @_grpc "GrpcMethod" "GrpcStreamMethod" "GrpcStreamCall"))
