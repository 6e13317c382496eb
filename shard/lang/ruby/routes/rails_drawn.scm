; framework: rails   needs: "resources :" "resource :" "namespace :" "scope :" "scope '" "scope(" "draw(:" "draw :"   unless: "outes.draw" "class " "module " "task " "inatra" "Grape" "describe"   emits: http.provides

; draw(:admin): what config/routes/admin.rb has is below the scopes around it
(call !receiver method: (identifier) @_draw @object arguments: (argument_list . (simple_symbol) @bind .)
  (#eq? @_draw "draw")
  (#set! module "config/routes/@.rb"))
((program (call !receiver)) @object @scope
  (#set! prefix ""))
