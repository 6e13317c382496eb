; framework: integration-events   needs: "IntegrationEvent("   also: "new "   unless: "MassTransit" "IPublishEndpoint" "ISendEndpoint" "ConsumeContext<" "NServiceBus"   emits: topic.consumes

; new OrderStartedIntegrationEvent(...): what is made is published, at once or by an outbox
((object_creation_expression type: [
  (identifier) @path
  (qualified_name name: (identifier) @path)]) @site
  (#match? @path "IntegrationEvent$")
  (#not-match? @path "^I?IntegrationEvent$")
  (#set! word "")
  (#set! method "PUBLISH"))
