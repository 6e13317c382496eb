; framework: graphql-js   needs: "GraphQLObjectType"   emits: graphql.defines

; new GraphQLObjectType({ name: "Query", fields: { users: … } }), by its name and that of its variable
((new_expression
  constructor: [(identifier) @_type (member_expression property: (property_identifier) @_type)]
  arguments: (arguments (object
    (pair key: (property_identifier) @_name value: (string) @class)
    (pair key: (property_identifier) @_fields value: (_) @options)))) @site
  (#eq? @_type "GraphQLObjectType")
  (#eq? @_name "name")
  (#eq? @_fields "fields"))
((variable_declarator
  name: (identifier) @class
  value: (new_expression
    constructor: [(identifier) @_type (member_expression property: (property_identifier) @_type)]
    arguments: (arguments (object (pair key: (property_identifier) @_fields value: (_) @options))))) @site
  (#eq? @_type "GraphQLObjectType")
  (#eq? @_fields "fields"))
((variable_declarator
  name: (identifier) @class
  value: (new_expression
    constructor: [(identifier) @_type (member_expression property: (property_identifier) @_type)]
    arguments: (arguments (object (method_definition name: (property_identifier) @_fields) @options)))) @site
  (#eq? @_type "GraphQLObjectType")
  (#eq? @_fields "fields"))
