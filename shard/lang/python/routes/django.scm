; framework: django   needs: "django" "rest_framework"   emits: http.provides

; What is in a list of another file, or at a router, is below the path of its include.
(_ left: (identifier) @object right: (list (call
  function: (identifier) @_path
  arguments: (argument_list . (_) @prefix . (call
    function: (identifier) @_include
    arguments: (argument_list . [
      (string) @bind
      (identifier) @bind
      (attribute) @bind
      (tuple . [(string) (identifier) (attribute)] @bind)]))))
  (#eq? @_path "path")
  (#eq? @_include "include")
  (#not-match? @bind "\\.urls$")
  (#set! style "loose")
  (#set! module "urlpatterns")))
(_ left: (identifier) @object right: (list (call
  function: (identifier) @_path
  arguments: (argument_list . (_) @prefix . (call
    function: (identifier) @_include
    arguments: (argument_list . [
      (string) @bind
      (identifier) @bind
      (attribute) @bind
      (tuple . [(string) (identifier) (attribute)] @bind)]))))
  (#any-of? @_path "re_path" "url")
  (#eq? @_include "include")
  (#not-match? @bind "\\.urls$")
  (#set! style "regex")
  (#set! module "urlpatterns")))
(_ left: (identifier) @object right: (list (call
  function: (identifier) @_path
  arguments: (argument_list . (_) @prefix . (call
    function: (identifier) @_include
    arguments: (argument_list . (attribute object: (_) @bind attribute: (identifier) @_urls)))))
  (#any-of? @_path "path" "re_path" "url")
  (#eq? @_include "include")
  (#eq? @_urls "urls")
  (#set! style "regex")))
; include((router.urls, "app")), include([path(...), *router.urls])
(_ left: (identifier) @object right: (list (call
  function: (identifier) @_path
  arguments: (argument_list . (_) @prefix . (call
    function: (identifier) @_include
    arguments: (argument_list . [
      (tuple . (attribute object: (_) @bind attribute: (identifier) @_urls))
      (list (list_splat (attribute object: (_) @bind attribute: (identifier) @_urls)))
      (list (attribute object: (list_splat (_) @bind) attribute: (identifier) @_urls))]))))
  (#any-of? @_path "path" "re_path" "url")
  (#eq? @_include "include")
  (#eq? @_urls "urls")
  (#set! style "regex")))
((call
  function: (identifier) @_path
  arguments: (argument_list . (_) @prefix . (call function: (identifier) @_include arguments: (argument_list . (list))))) @scope
  (#any-of? @_path "path" "re_path" "url")
  (#eq? @_include "include")
  (#set! style "regex"))
; urlpatterns = [path(...)], urlpatterns += [path(...)]
(assignment left: (identifier) @object right: (list (call) @site) (#set! anyone ""))
(augmented_assignment left: (identifier) @object right: (list (call) @site) (#set! anyone ""))

; path("users/<int:id>/", views.user), re_path(r"^users/(?P<id>\d+)/$", views.user)
(list ((call
  function: (identifier) @_path
  arguments: (argument_list . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#eq? @_path "path")
  (#not-match? @handler "\\.urls$")
  (#set! style "loose")
  (#set! class "")
  (#set! default "ANY")))
(list ((call
  function: (identifier) @_path
  arguments: (argument_list . (_) @path . [(identifier) (attribute)] @handler)) @site
  (#any-of? @_path "re_path" "url")
  (#not-match? @handler "\\.urls$")
  (#set! style "regex")
  (#set! class "")
  (#set! default "ANY")))
; views.UserView.as_view(), csrf_exempt(views.user), csrf_exempt(views.UserView.as_view())
(list ((call
  function: (identifier) @_path
  arguments: (argument_list . (_) @path . (call
    function: (attribute object: [(identifier) (attribute)] @handler attribute: (identifier) @_view)))) @site
  (#eq? @_path "path")
  (#eq? @_view "as_view")
  (#set! style "loose")
  (#set! class "")
  (#set! default "ANY")))
(list ((call
  function: (identifier) @_path
  arguments: (argument_list . (_) @path . (call
    function: (attribute object: [(identifier) (attribute)] @handler attribute: (identifier) @_view)))) @site
  (#any-of? @_path "re_path" "url")
  (#eq? @_view "as_view")
  (#set! style "regex")
  (#set! class "")
  (#set! default "ANY")))
(list ((call
  function: (identifier) @_path
  arguments: (argument_list . (_) @path . (call
    function: [(identifier) (attribute) (call)] @_around
    arguments: (argument_list . [(identifier) (attribute)] @handler .)))) @site
  (#eq? @_path "path")
  (#not-match? @_around "(^|\\.)(include|as_view)$")
  (#set! style "loose")
  (#set! class "")
  (#set! default "ANY")))
(list ((call
  function: (identifier) @_path
  arguments: (argument_list . (_) @path . (call
    function: [(identifier) (attribute) (call)] @_around
    arguments: (argument_list . (call
      function: (attribute object: [(identifier) (attribute)] @handler attribute: (identifier) @_view)))))) @site
  (#eq? @_path "path")
  (#eq? @_view "as_view")
  (#not-match? @_around "(^|\\.)include$")
  (#set! style "loose")
  (#set! class "")
  (#set! default "ANY")))

; UserViewSet.as_view({"get": "list"})
((call
  function: (identifier) @_path
  arguments: (argument_list . (_) . (call
    function: (attribute attribute: (identifier) @_view)
    arguments: (argument_list (dictionary (pair key: (string) @method)))))) @site
  (#any-of? @_path "path" "re_path" "url")
  (#eq? @_view "as_view"))

; TemplateView.as_view(template_name="x"): not derived from here
(list ((call
  function: (identifier) @_path
  arguments: (argument_list . (_) . (call
    function: (attribute object: (_) @_class attribute: (identifier) @_view)))) @site
  (#any-of? @_path "path" "re_path" "url")
  (#eq? @_view "as_view")
  (#match? @_class "(^|\\.)(Template|Redirect|List|Detail)View$")
  (#set! method "GET")))

; What a class answers by its methods, or by what it is derived from.
((class_definition
  name: (identifier) @class
  body: (block (function_definition name: (identifier) @method @handler) @site))
  (#any-of? @method "get" "post" "put" "patch" "delete"))
((class_definition
  name: (identifier) @class
  body: (block (decorated_definition definition: (function_definition name: (identifier) @method @handler) @site)))
  (#any-of? @method "get" "post" "put" "patch" "delete"))
((class_definition name: (identifier) @class @handler superclasses: (argument_list (_) @_base)) @site
  (#match? @_base "(^|\\.)((List|Retrieve|ListCreate|RetrieveUpdate|RetrieveDestroy|RetrieveUpdateDestroy)APIView|(List|Detail|Template|Redirect|Create|Update|Form|Delete)View)(\\[|$)")
  (#set! method "GET"))
((class_definition name: (identifier) @class @handler superclasses: (argument_list (_) @_base)) @site
  (#match? @_base "(^|\\.)((Create|ListCreate)APIView|(Create|Update|Form|Delete|Login)View)(\\[|$)")
  (#set! method "POST"))
((class_definition name: (identifier) @class @handler superclasses: (argument_list (_) @_base)) @site
  (#match? @_base "(^|\\.)(Update|RetrieveUpdate|RetrieveUpdateDestroy)APIView(\\[|$)")
  (#set! method "PUT"))
((class_definition name: (identifier) @class @handler superclasses: (argument_list (_) @_base)) @site
  (#match? @_base "(^|\\.)(Update|RetrieveUpdate|RetrieveUpdateDestroy)APIView(\\[|$)")
  (#set! method "PATCH"))
((class_definition name: (identifier) @class @handler superclasses: (argument_list (_) @_base)) @site
  (#match? @_base "(^|\\.)(Destroy|RetrieveDestroy|RetrieveUpdateDestroy)APIView(\\[|$)")
  (#set! method "DELETE"))

((class_definition superclasses: (argument_list [(identifier) @class (attribute) @class (subscript value: (_) @class)])) @scope)

; What a function answers: @api_view(["GET"]), @require_http_methods(["GET"]), @require_GET
((decorated_definition
  (decorator (call function: [(identifier) (attribute)] @_decorator
    arguments: (argument_list . (_ (string) @method))))
  definition: (function_definition name: (identifier) @class @handler)) @site
  (#match? @_decorator "(^|\\.)(api_view|require_http_methods)$"))
((decorated_definition
  (decorator (call function: [(identifier) (attribute)] @_decorator arguments: (argument_list) @_none))
  definition: (function_definition name: (identifier) @class @handler)) @site
  (#match? @_decorator "(^|\\.)api_view$")
  (#eq? @_none "()")
  (#set! method "GET"))
((decorated_definition
  (decorator [(identifier) (attribute)] @_decorator)
  definition: (function_definition name: (identifier) @class @handler)) @site
  (#match? @_decorator "(^|\\.)require_(GET|safe)$")
  (#set! method "GET"))
((decorated_definition
  (decorator [(identifier) (attribute)] @_decorator)
  definition: (function_definition name: (identifier) @class @handler)) @site
  (#match? @_decorator "(^|\\.)require_POST$")
  (#set! method "POST"))
