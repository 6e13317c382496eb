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
((member_call_expression
  object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]
  name: (name) @_group) @scope
  (#eq? @_prefix "prefix")
  (#any-of? @_group "group" "get" "post" "put" "patch" "delete" "any" "match" "resource" "apiResource" "apiResources")
  (#set! style "loose"))
((member_call_expression
  object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]
  name: (name) @_group
  arguments: (arguments . (argument [(function_call_expression) (binary_expression) (string)] @bind .)) @object)
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]
  name: (name) @_group
  arguments: (arguments . (argument (anonymous_function body: (compound_statement (expression_statement [(require_expression (_) @bind) (require_once_expression (_) @bind) (include_expression (_) @bind)])))) @object))
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))])
  name: (name) @_group) @scope
  (#eq? @_prefix "prefix")
  (#any-of? @_group "group" "get" "post" "put" "patch" "delete" "any" "match" "resource" "apiResource" "apiResources")
  (#set! style "loose"))
((member_call_expression
  object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))])
  name: (name) @_group
  arguments: (arguments . (argument [(function_call_expression) (binary_expression) (string)] @bind .)) @object)
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))])
  name: (name) @_group
  arguments: (arguments . (argument (anonymous_function body: (compound_statement (expression_statement [(require_expression (_) @bind) (require_once_expression (_) @bind) (include_expression (_) @bind)])))) @object))
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]))
  name: (name) @_group) @scope
  (#eq? @_prefix "prefix")
  (#any-of? @_group "group" "get" "post" "put" "patch" "delete" "any" "match" "resource" "apiResource" "apiResources")
  (#set! style "loose"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]))
  name: (name) @_group
  arguments: (arguments . (argument [(function_call_expression) (binary_expression) (string)] @bind .)) @object)
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]))
  name: (name) @_group
  arguments: (arguments . (argument (anonymous_function body: (compound_statement (expression_statement [(require_expression (_) @bind) (require_once_expression (_) @bind) (include_expression (_) @bind)])))) @object))
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))])))
  name: (name) @_group) @scope
  (#eq? @_prefix "prefix")
  (#any-of? @_group "group" "get" "post" "put" "patch" "delete" "any" "match" "resource" "apiResource" "apiResources")
  (#set! style "loose"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))])))
  name: (name) @_group
  arguments: (arguments . (argument [(function_call_expression) (binary_expression) (string)] @bind .)) @object)
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))])))
  name: (name) @_group
  arguments: (arguments . (argument (anonymous_function body: (compound_statement (expression_statement [(require_expression (_) @bind) (require_once_expression (_) @bind) (include_expression (_) @bind)])))) @object))
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]))))
  name: (name) @_group) @scope
  (#eq? @_prefix "prefix")
  (#any-of? @_group "group" "get" "post" "put" "patch" "delete" "any" "match" "resource" "apiResource" "apiResources")
  (#set! style "loose"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]))))
  name: (name) @_group
  arguments: (arguments . (argument [(function_call_expression) (binary_expression) (string)] @bind .)) @object)
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))]))))
  name: (name) @_group
  arguments: (arguments . (argument (anonymous_function body: (compound_statement (expression_statement [(require_expression (_) @bind) (require_once_expression (_) @bind) (include_expression (_) @bind)])))) @object))
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))])))))
  name: (name) @_group) @scope
  (#eq? @_prefix "prefix")
  (#any-of? @_group "group" "get" "post" "put" "patch" "delete" "any" "match" "resource" "apiResource" "apiResources")
  (#set! style "loose"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))])))))
  name: (name) @_group
  arguments: (arguments . (argument [(function_call_expression) (binary_expression) (string)] @bind .)) @object)
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))
((member_call_expression
  object: (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .))) (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (_) @prefix .)))])))))
  name: (name) @_group
  arguments: (arguments . (argument (anonymous_function body: (compound_statement (expression_statement [(require_expression (_) @bind) (require_once_expression (_) @bind) (include_expression (_) @bind)])))) @object))
  (#eq? @_prefix "prefix")
  (#eq? @_group "group")
  (#set! style "loose")
  (#set! module "<?php"))

; Route::resource("photos.comments", CommentController::class)->only(["index"]): which actions there are is said in the statement
((expression_statement [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]index['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]index['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "")
  (#set! action "index"))
((expression_statement (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]index['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]index['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "")
  (#set! action "index"))
((expression_statement (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]index['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]index['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "")
  (#set! action "index"))
((expression_statement (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]index['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]index['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "")
  (#set! action "index"))
((expression_statement [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]store['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]store['\"]")
  (#set! style "dotted")
  (#set! method "POST")
  (#set! append "")
  (#set! action "store"))
((expression_statement (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]store['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]store['\"]")
  (#set! style "dotted")
  (#set! method "POST")
  (#set! append "")
  (#set! action "store"))
((expression_statement (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]store['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]store['\"]")
  (#set! style "dotted")
  (#set! method "POST")
  (#set! append "")
  (#set! action "store"))
((expression_statement (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]store['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]store['\"]")
  (#set! style "dotted")
  (#set! method "POST")
  (#set! append "")
  (#set! action "store"))
((expression_statement [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]show['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]show['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/{id}")
  (#set! action "show"))
((expression_statement (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]show['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]show['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/{id}")
  (#set! action "show"))
((expression_statement (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]show['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]show['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/{id}")
  (#set! action "show"))
((expression_statement (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]show['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]show['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/{id}")
  (#set! action "show"))
((expression_statement [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]update['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]update['\"]")
  (#set! style "dotted")
  (#set! method "PUT")
  (#set! append "/{id}")
  (#set! action "update"))
((expression_statement (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]update['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]update['\"]")
  (#set! style "dotted")
  (#set! method "PUT")
  (#set! append "/{id}")
  (#set! action "update"))
((expression_statement (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]update['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]update['\"]")
  (#set! style "dotted")
  (#set! method "PUT")
  (#set! append "/{id}")
  (#set! action "update"))
((expression_statement (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]update['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]update['\"]")
  (#set! style "dotted")
  (#set! method "PUT")
  (#set! append "/{id}")
  (#set! action "update"))
((expression_statement [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]update['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]update['\"]")
  (#set! style "dotted")
  (#set! method "PATCH")
  (#set! append "/{id}")
  (#set! action "update"))
((expression_statement (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]update['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]update['\"]")
  (#set! style "dotted")
  (#set! method "PATCH")
  (#set! append "/{id}")
  (#set! action "update"))
((expression_statement (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]update['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]update['\"]")
  (#set! style "dotted")
  (#set! method "PATCH")
  (#set! append "/{id}")
  (#set! action "update"))
((expression_statement (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]update['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]update['\"]")
  (#set! style "dotted")
  (#set! method "PATCH")
  (#set! append "/{id}")
  (#set! action "update"))
((expression_statement [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]destroy['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]destroy['\"]")
  (#set! style "dotted")
  (#set! method "DELETE")
  (#set! append "/{id}")
  (#set! action "destroy"))
((expression_statement (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]destroy['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]destroy['\"]")
  (#set! style "dotted")
  (#set! method "DELETE")
  (#set! append "/{id}")
  (#set! action "destroy"))
((expression_statement (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]destroy['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]destroy['\"]")
  (#set! style "dotted")
  (#set! method "DELETE")
  (#set! append "/{id}")
  (#set! action "destroy"))
((expression_statement (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])))) @_all
  (#any-of? @_resource "resource" "apiResource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]destroy['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]destroy['\"]")
  (#set! style "dotted")
  (#set! method "DELETE")
  (#set! append "/{id}")
  (#set! action "destroy"))
((expression_statement [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]) @_all
  (#any-of? @_resource "resource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]create['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]create['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/create")
  (#set! action "create"))
((expression_statement (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])) @_all
  (#any-of? @_resource "resource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]create['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]create['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/create")
  (#set! action "create"))
((expression_statement (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]))) @_all
  (#any-of? @_resource "resource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]create['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]create['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/create")
  (#set! action "create"))
((expression_statement (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])))) @_all
  (#any-of? @_resource "resource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]create['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]create['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/create")
  (#set! action "create"))
((expression_statement [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]) @_all
  (#any-of? @_resource "resource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]edit['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]edit['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/{id}/edit")
  (#set! action "edit"))
((expression_statement (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])) @_all
  (#any-of? @_resource "resource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]edit['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]edit['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/{id}/edit")
  (#set! action "edit"))
((expression_statement (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)]))) @_all
  (#any-of? @_resource "resource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]edit['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]edit['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/{id}/edit")
  (#set! action "edit"))
((expression_statement (member_call_expression object: (member_call_expression object: (member_call_expression object: [(scoped_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)
   (member_call_expression name: (name) @_resource arguments: (arguments . (argument (_) @path .) . (argument (_) @handler .)) @site)])))) @_all
  (#any-of? @_resource "resource")
  (#match? @_all "^Route::|^\\$(router|api|app|this)\\b")
  (#not-match? @_all "only(\\(|['\"]\\s*=>)(?![^\\])]*['\"]edit['\"])|except(\\(|['\"]\\s*=>)[^\\])]*['\"]edit['\"]")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/{id}/edit")
  (#set! action "edit"))
; Route::apiResources(["photos" => PhotoController::class])
((scoped_call_expression
  scope: (name) @_route name: (name) @_resources
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @path . (_) @handler .) @site))))
  (#eq? @_route "Route")
  (#any-of? @_resources "resources" "apiResources")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "")
  (#set! action "index"))
((scoped_call_expression
  scope: (name) @_route name: (name) @_resources
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @path . (_) @handler .) @site))))
  (#eq? @_route "Route")
  (#any-of? @_resources "resources" "apiResources")
  (#set! style "dotted")
  (#set! method "POST")
  (#set! append "")
  (#set! action "store"))
((scoped_call_expression
  scope: (name) @_route name: (name) @_resources
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @path . (_) @handler .) @site))))
  (#eq? @_route "Route")
  (#any-of? @_resources "resources" "apiResources")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/{id}")
  (#set! action "show"))
((scoped_call_expression
  scope: (name) @_route name: (name) @_resources
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @path . (_) @handler .) @site))))
  (#eq? @_route "Route")
  (#any-of? @_resources "resources" "apiResources")
  (#set! style "dotted")
  (#set! method "PUT")
  (#set! append "/{id}")
  (#set! action "update"))
((scoped_call_expression
  scope: (name) @_route name: (name) @_resources
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @path . (_) @handler .) @site))))
  (#eq? @_route "Route")
  (#any-of? @_resources "resources" "apiResources")
  (#set! style "dotted")
  (#set! method "PATCH")
  (#set! append "/{id}")
  (#set! action "update"))
((scoped_call_expression
  scope: (name) @_route name: (name) @_resources
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @path . (_) @handler .) @site))))
  (#eq? @_route "Route")
  (#any-of? @_resources "resources" "apiResources")
  (#set! style "dotted")
  (#set! method "DELETE")
  (#set! append "/{id}")
  (#set! action "destroy"))
((scoped_call_expression
  scope: (name) @_route name: (name) @_resources
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @path . (_) @handler .) @site))))
  (#eq? @_route "Route")
  (#any-of? @_resources "resources")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/create")
  (#set! action "create"))
((scoped_call_expression
  scope: (name) @_route name: (name) @_resources
  arguments: (arguments . (argument (array_creation_expression (array_element_initializer . (_) @path . (_) @handler .) @site))))
  (#eq? @_route "Route")
  (#any-of? @_resources "resources")
  (#set! style "dotted")
  (#set! method "GET")
  (#set! append "/{id}/edit")
  (#set! action "edit"))
