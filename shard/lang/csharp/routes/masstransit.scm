; framework: masstransit   needs: "ConsumeContext<"   emits: topic.provides

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
