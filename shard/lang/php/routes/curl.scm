; framework: curl   needs: "curl_" "wp_remote_"   emits: http.consumes

; $ch = curl_init(url), curl_setopt($ch, CURLOPT_URL, url), curl_setopt_array($ch, [CURLOPT_URL => url])
((assignment_expression
  left: (_) @object
  right: (function_call_expression function: (name) @_init arguments: (arguments . (argument (_) @path .)))) @site
  (#eq? @_init "curl_init")
  (#set! anyone "")
  (#set! default "GET"))
((function_call_expression
  function: (name) @_set
  arguments: (arguments . (argument (_) @object .) . (argument (_) @_option .) . (argument (_) @path .))) @site
  (#eq? @_set "curl_setopt")
  (#eq? @_option "CURLOPT_URL")
  (#set! anyone "")
  (#set! default "GET"))
((function_call_expression
  function: (name) @_set
  arguments: (arguments . (argument (_) @object .)
    . (argument (array_creation_expression (array_element_initializer . (name) @_option . (_) @path .))))) @site
  (#eq? @_set "curl_setopt_array")
  (#eq? @_option "CURLOPT_URL")
  (#set! anyone "")
  (#set! default "GET"))
((function_call_expression
  function: (name) @_set
  arguments: (arguments . (argument (_))
    . (argument (array_creation_expression (array_element_initializer . (name) @_option . (_) @method .))))) @site
  (#eq? @_set "curl_setopt_array")
  (#eq? @_option "CURLOPT_CUSTOMREQUEST"))

; its method: curl_setopt($ch, CURLOPT_CUSTOMREQUEST, "PUT"), CURLOPT_POST
(function_call_expression
  function: (name) @_set
  arguments: (arguments . (argument (_) @bind .) . (argument (_) @_option .) . (argument (_) @method .))
  (#eq? @_set "curl_setopt")
  (#eq? @_option "CURLOPT_CUSTOMREQUEST"))
(function_call_expression
  function: (name) @_set
  arguments: (arguments . (argument (_) @bind .) . (argument (_) @_option .) . (argument (_) @_true .))
  (#eq? @_set "curl_setopt")
  (#any-of? @_option "CURLOPT_POST" "CURLOPT_POSTFIELDS")
  (#not-match? @_true "^(false|0)$")
  (#set! method "POST"))
(function_call_expression
  function: (name) @_set
  arguments: (arguments . (argument (_) @bind .)
    . (argument (array_creation_expression (array_element_initializer . (name) @_option . (_) @method .))))
  (#eq? @_set "curl_setopt_array")
  (#eq? @_option "CURLOPT_CUSTOMREQUEST"))
(function_call_expression
  function: (name) @_set
  arguments: (arguments . (argument (_) @bind .)
    . (argument (array_creation_expression (array_element_initializer . (name) @_option))))
  (#eq? @_set "curl_setopt_array")
  (#any-of? @_option "CURLOPT_POST" "CURLOPT_POSTFIELDS")
  (#set! method "POST"))

; wp_remote_request(url, ["method" => "PUT"]), wp_remote_get(url): WordPress
((function_call_expression
  function: (name) @_call
  arguments: (arguments . (argument (_) @path .) . (argument (_) @options .))) @site
  (#match? @_call "^wp_(safe_)?remote_request$")
  (#set! default "GET")
  (#set! verb "method"))
; each CALL METHOD
;   request | GET
;   get | GET
;   post | POST
;   head | HEAD
((function_call_expression
  function: (name) @_call
  arguments: (arguments . (argument (_) @path .))) @site
  (#match? @_call "^wp_(safe_)?remote_$CALL$")
  (#set! default "$METHOD"))
; end
