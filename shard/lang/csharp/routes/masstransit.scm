; framework: masstransit
; emits: topic.provides   needs: "ConsumeContext<"
; Task Consume(ConsumeContext<OrderSubmitted> context): messages are known by their types
((method_declaration
  name: (identifier) @_consume
  parameters: (parameter_list . (parameter type: (generic_name (identifier) @_context (type_argument_list . [
    (identifier) @path
    (qualified_name name: (identifier) @path)] .))))) @site
  (#eq? @_consume "Consume")
  (#eq? @_context "ConsumeContext")
  (#not-match? @path "^T[A-Z]?[a-z]*$")
  (#set! word "")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes   needs: "MassTransit" "IPublishEndpoint" "ISendEndpoint" "ConsumeContext<"
; What has the type of a bus, or is an endpoint that one gives.
; each DECLARED
;   parameter type: (_) @_type name: (identifier) @bind
;   variable_declaration type: (_) @_type (variable_declarator name: (identifier) @bind)
;   property_declaration type: (_) @_type name: (identifier) @bind
($DECLARED (#match? @_type "^(MassTransit\\.)?(I?Bus(Control)?|I(Scoped)?PublishEndpoint|ISendEndpoint|IMessageScheduler|IRequestClient<.*>|ConsumeContext(<.*>)?|BehaviorContext<.*>)\\??$"))
; end
(variable_declarator name: (identifier) @bind (_) @_make (#match? @_make "\\.GetSendEndpoint\\("))
(assignment_expression left: [(identifier) (member_access_expression)] @bind right: (_) @_make (#match? @_make "\\.GetSendEndpoint\\("))

; endpoint.Publish<OrderSubmitted>(new { ... }), but not what a configuration says of a type: cfg.Publish<OrderSubmitted>(x => ...)
((invocation_expression
  function: (member_access_expression expression: (_) @object name: (generic_name (identifier) @_call (type_argument_list . [
    (identifier) @path
    (qualified_name name: (identifier) @path)] .)))
  arguments: (argument_list) @_given) @site
  (#any-of? @_call "Publish" "Send" "SchedulePublish" "ScheduleSend")
  (#not-match? @_given "^\\(\\s*\\w*\\s*(=>|\\))")
  (#not-match? @path "^T[A-Z]?[a-z]*$")
  (#set! word "")
  (#set! method "PUBLISH"))

; endpoint.Publish(new OrderSubmitted(...)), client.GetResponse<OrderStatus>(new CheckOrder(...))
((invocation_expression
  function: (member_access_expression expression: (_) @object name: [(identifier) @_call (generic_name (identifier) @_call)])
  arguments: (argument_list . (argument (object_creation_expression type: [
    (identifier) @path
    (qualified_name name: (identifier) @path)])))) @site
  (#any-of? @_call "Publish" "Send" "GetResponse")
  (#set! word "")
  (#set! method "PUBLISH"))

; var message = new OrderSubmitted(...), mapper.Map<OrderSubmitted>(order), or with its type; endpoint.Publish(message)
; each MADE
;   (variable_declaration (variable_declarator name: (identifier) @_made (object_creation_expression type: [(identifier) @path (qualified_name name: (identifier) @path)])))
;   (variable_declaration (variable_declarator name: (identifier) @_made (invocation_expression function: (member_access_expression name: (generic_name (identifier) @_map (type_argument_list . (identifier) @path .))))))
;   (variable_declaration type: [(identifier) @path (qualified_name name: (identifier) @path)] (variable_declarator name: (identifier) @_made))
((block
  (local_declaration_statement $MADE)
  (expression_statement [
    (invocation_expression
      function: (member_access_expression expression: (_) @object name: (identifier) @_call)
      arguments: (argument_list . (argument (identifier) @_given))) @site
    (await_expression (invocation_expression
      function: (member_access_expression expression: (_) @object name: (identifier) @_call)
      arguments: (argument_list . (argument (identifier) @_given))) @site)]))
  (#eq? @_made @_given)
  (#any-of? @_call "Publish" "Send")
  (#set! word "")
  (#set! method "PUBLISH"))
; end

; Task Submit(OrderSubmitted message) { ... endpoint.Publish(message) }
((method_declaration
  parameters: (parameter_list (parameter type: [(identifier) @path (qualified_name name: (identifier) @path)] name: (identifier) @_made))
  body: (block (expression_statement [
    (invocation_expression
      function: (member_access_expression expression: (_) @object name: (identifier) @_call)
      arguments: (argument_list . (argument (identifier) @_given))) @site
    (await_expression (invocation_expression
      function: (member_access_expression expression: (_) @object name: (identifier) @_call)
      arguments: (argument_list . (argument (identifier) @_given))) @site)])))
  (#eq? @_made @_given)
  (#any-of? @_call "Publish" "Send")
  (#not-match? @path "^T[A-Z]?[a-z]*$")
  (#set! word "")
  (#set! method "PUBLISH"))
