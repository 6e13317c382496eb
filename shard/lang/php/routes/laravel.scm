; framework: laravel   needs: "Route::" "withRouting("   emits: http.provides

; Route::get("/users/{id}", [UserController::class, "show"]), Route::middleware("auth")->post(...)
((scoped_call_expression
  scope: (name) @_route name: (name) @method
  arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .))) @site
  (#eq? @_route "Route")
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "any")
  (#set! style "loose"))
((member_call_expression
  object: (_) @_route name: (name) @method
  arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .))) @site
  (#match? @_route "^Route::")
  (#any-of? @method "get" "post" "put" "patch" "delete" "options" "any")
  (#set! style "loose"))
((scoped_call_expression
  scope: (name) @_route name: (name) @_match
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer (_) @method)))
    . (argument (_) @path .) . (argument (_) @handler .))) @site
  (#eq? @_route "Route")
  (#eq? @_match "match")
  (#set! style "loose"))
((member_call_expression
  object: (_) @_route name: (name) @_match
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer (_) @method)))
    . (argument (_) @path .) . (argument (_) @handler .))) @site
  (#match? @_route "^Route::")
  (#eq? @_match "match")
  (#set! style "loose"))
((scoped_call_expression
  scope: (name) @_route name: (name) @_view
  arguments: (arguments . (argument (_) @path .) . (argument))) @site
  (#eq? @_route "Route")
  (#any-of? @_view "view" "inertia")
  (#set! method "GET")
  (#set! style "loose"))
((scoped_call_expression
  scope: (name) @_route name: (name) @_redirect
  arguments: (arguments . (argument (_) @path .) . (argument))) @site
  (#eq? @_route "Route")
  (#any-of? @_redirect "redirect" "permanentRedirect")
  (#set! method "ANY")
  (#set! style "loose"))

; Route::group(["prefix" => "admin"], function () { ... }), $router->group(...)
(([(scoped_call_expression name: (name) @_group arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @_key . (_) @prefix .)))))
   (member_call_expression name: (name) @_group arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @_key . (_) @prefix .)))))]) @scope
  (#eq? @_group "group")
  (#match? @_key "^[\"']prefix[\"']$")
  (#set! style "loose"))

; The routes of another file: ->group(base_path("routes/api.php")), withRouting(api: __DIR__."/../routes/api.php")
(program . (_) @bind)
((program . (_) @object) @scope
  (#set! prefix ""))
((arguments (argument name: (name) @_api (_) @bind .)) @object
  (#eq? @_api "api")
  (#match? @object "routes/")
  (#not-match? @object "apiPrefix")
  (#set! module "<?php")
  (#set! prefix "/api"))
((arguments
  (argument name: (name) @_api (_) @bind .)
  (argument name: (name) @_prefix (_) @prefix .)) @object
  (#eq? @_api "api")
  (#eq? @_prefix "apiPrefix")
  (#set! style "loose")
  (#set! module "<?php"))

; Route::prefix("admin")->middleware("auth")->group(function () { ... }), with the prefix anywhere before
; each BEFORE BEHIND
;   |
;   (member_call_expression object: | )
;   (member_call_expression object: (member_call_expression object: | ))
;   (member_call_expression object: (member_call_expression object: (member_call_expression object: | )))
;   (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: | ))))
;   (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: | )))))
((member_call_expression
  object: $BEFORE[(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]$BEHIND
  name: (name) @_group) @scope
  (#eq? @_prefix "prefix")
  (#any-of? @_group "group" "get" "post" "put" "patch" "delete" "any" "match" "resource" "apiResource" "apiResources")
  (#set! style "loose"))
((member_call_expression
  object: $BEFORE[(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]$BEHIND
  name: (name) @_group
  arguments: (arguments . (argument [(function_call_expression) (binary_expression) (string)] @bind .)) @object)
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: $BEFORE[(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]$BEHIND
  name: (name) @_group
  arguments: (arguments . (argument (anonymous_function body: (compound_statement (expression_statement [(require_expression (_) @bind) (require_once_expression (_) @bind) (include_expression (_) @bind)])))) @object))
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
; end

; Route::resource("photos.comments", CommentController::class)->only(["index"]): which actions there are is said in the statement
; each ACTION METHOD CALLS APPEND
;   index | GET | "resource" "apiResource" |
;   store | POST | "resource" "apiResource" |
;   show | GET | "resource" "apiResource" | /{id}
;   update | PUT | "resource" "apiResource" | /{id}
;   update | PATCH | "resource" "apiResource" | /{id}
;   destroy | DELETE | "resource" "apiResource" | /{id}
;   create | GET | "resource" | /create
;   edit | GET | "resource" | /{id}/edit
; each BEFORE BEHIND
;   |
;   (member_call_expression object: | )
;   (member_call_expression object: (member_call_expression object: | ))
;   (member_call_expression object: (member_call_expression object: (member_call_expression object: | )))
((expression_statement $BEFORE[(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]$BEHIND) @_all
  (#any-of? @_resource $CALLS)
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]$ACTION['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]$ACTION['\"]")
  (#set! style "dotted")
  (#set! method "$METHOD")
  (#set! append "$APPEND")
  (#set! action "$ACTION"))
; end
; end

; Route::apiResources(["photos" => PhotoController::class])
; each ACTION METHOD CALLS APPEND
;   index | GET | "resources" "apiResources" |
;   store | POST | "resources" "apiResources" |
;   show | GET | "resources" "apiResources" | /{id}
;   update | PUT | "resources" "apiResources" | /{id}
;   update | PATCH | "resources" "apiResources" | /{id}
;   destroy | DELETE | "resources" "apiResources" | /{id}
;   create | GET | "resources" | /create
;   edit | GET | "resources" | /{id}/edit
((scoped_call_expression
  scope: (name) @_route name: (name) @_resources
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @path . (_) @handler .) @site))))
  (#eq? @_route "Route")
  (#any-of? @_resources $CALLS)
  (#set! style "dotted")
  (#set! method "$METHOD")
  (#set! append "$APPEND")
  (#set! action "$ACTION"))
; end
