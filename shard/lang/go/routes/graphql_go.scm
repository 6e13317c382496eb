; framework: graphql-go   needs: "graphql-go/graphql"   emits: graphql.states

; graphql.NewObject(graphql.ObjectConfig{Name: "Query", Fields: graphql.Fields{"users": &graphql.Field{…}}})
; each ROOT
;   Query
;   Mutation
;   Subscription
((composite_literal body: (literal_value
  (keyed_element (literal_element (identifier) @_name) (literal_element (interpreted_string_literal) @_of))
  (keyed_element
    (literal_element (identifier) @_fields)
    (literal_element (composite_literal body: (literal_value
      (keyed_element . (literal_element (interpreted_string_literal) @path)) @site))))))
  (#eq? @_name "Name")
  (#match? @_of "^\"(Root)?$ROOT\"$")
  (#eq? @_fields "Fields")
  (#set! prefix "$ROOT")
  (#set! word ""))
; end
