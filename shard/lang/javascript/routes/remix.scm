; framework: remix   needs: "export const loader" "export function loader" "export async function loader" "export const action" "export function action" "export async function action" "{ loader" "{ action" ", loader }" ", action }"   emits: http.files

; Remix, React Router: app/routes/**; a loader answers GET, an action what it asks request.method for, or POST
((export_statement declaration: [
    (function_declaration name: (identifier) @_loader @handler)
    (lexical_declaration (variable_declarator name: (identifier) @_loader @handler))]) @site
  (#eq? @_loader "loader")
  (#set! method "GET")
  (#set! append "/@file=app/routes=-=."))
((export_statement declaration: [
    (function_declaration name: (identifier) @_action @handler)
    (lexical_declaration (variable_declarator name: (identifier) @_action @handler))]) @site
  (#eq? @_action "action")
  (#set! method "POST")
  (#set! append "/@file=app/routes=-=."))
((export_statement (export_clause (export_specifier name: (_) @_loader @handler !alias))) @site
  (#eq? @_loader "loader")
  (#set! method "GET")
  (#set! append "/@file=app/routes=-=."))
((export_statement (export_clause (export_specifier name: (_) @_action @handler !alias))) @site
  (#eq? @_action "action")
  (#set! method "POST")
  (#set! append "/@file=app/routes=-=."))
((binary_expression left: (member_expression property: (property_identifier) @_method) right: (string) @method) @site
  (#eq? @_method "method")
  (#match? @method "^.(PUT|PATCH|DELETE).$")
  (#set! append "/@file=app/routes=-=."))
((switch_statement value: (_) @_of body: (switch_body (switch_case value: (string) @method) @site))
  (#match? @_of "\\.method\\b")
  (#match? @method "^.(PUT|PATCH|DELETE).$")
  (#set! append "/@file=app/routes=-=."))
