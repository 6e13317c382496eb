; framework: graphql-client   needs: "genqlient/graphql" "shurcooL/graphql" "hasura/go-graphql-client" "machinebox/graphql"   emits: graphql.reaches

; graphql.NewClient(url, httpClient)
((call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_make)
  arguments: (argument_list . (_) @path)) @site
  (#match? @_package "graphql")
  (#eq? @_make "NewClient")
  (#set! method "POST"))
