; framework: grpc   needs: "grpc" "connectrpc"   emits: grpc.provides

; server.addService(proto.Cart.service, { getCart: getCart, addItem, dropItem(call, callback) {} }); ConnectRPC: router.service(Cart, {})
(call_expression
  function: (member_expression property: (property_identifier) @_add)
  arguments: (arguments . (_) @path . (object (pair key: (_) @method value: (_) @handler)))
  (#any-of? @_add "addService" "service"))
(call_expression
  function: (member_expression property: (property_identifier) @_add)
  arguments: (arguments . (_) @path . (object (shorthand_property_identifier) @handler))
  (#any-of? @_add "addService" "service"))
(call_expression
  function: (member_expression property: (property_identifier) @_add)
  arguments: (arguments . (_) @path . (object (method_definition name: (property_identifier) @method)))
  (#any-of? @_add "addService" "service"))

; server.addService(proto.Cart.service, handlers), new CartHandlers()
((call_expression
  function: (member_expression property: (property_identifier) @_add)
  arguments: (arguments . (_) @path . [(identifier) (member_expression) (call_expression)] @object)) @site
  (#any-of? @_add "addService" "service"))
((call_expression
  function: (member_expression property: (property_identifier) @_add)
  arguments: (arguments . (_) @path . (new_expression constructor: (_) @object))) @site
  (#any-of? @_add "addService" "service"))
