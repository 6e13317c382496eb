; framework: integration-events
; emits: topic.provides   needs: "IntegrationEvent"   unless: "ConsumeContext<" "INotificationHandler<" "IHandleMessages<" "[Topic("
; class XHandler : IIntegrationEventHandler<OrderStartedIntegrationEvent> { Task Handle(OrderStartedIntegrationEvent e) }: events are known by their types
((class_declaration
  (base_list [
    (generic_name (identifier) @_handler)
    (primary_constructor_base_type type: (generic_name (identifier) @_handler))])
  body: (declaration_list (method_declaration
    name: (identifier) @_handle
    parameters: (parameter_list . (parameter type: [(identifier) @path (qualified_name name: (identifier) @path)]))) @site))
  (#match? @_handler "EventHandler$")
  (#any-of? @_handle "Handle" "HandleAsync")
  (#match? @path "IntegrationEvent$")
  (#not-match? @path "^I?IntegrationEvent$")
  (#set! word "")
  (#set! method "SUBSCRIBE"))

; emits: topic.consumes   needs: "IntegrationEvent("   also: "new "   unless: "MassTransit" "IPublishEndpoint" "ISendEndpoint" "ConsumeContext<" "NServiceBus"
; new OrderStartedIntegrationEvent(...): what is made is published, at once or by an outbox
((object_creation_expression type: [
  (identifier) @path
  (qualified_name name: (identifier) @path)]) @site
  (#match? @path "IntegrationEvent$")
  (#not-match? @path "^I?IntegrationEvent$")
  (#set! word "")
  (#set! method "PUBLISH"))
