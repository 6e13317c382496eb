; framework: node_server   needs: "createServer("   emits: http.provides

; if (req.url === "/users" && req.method === "POST") in a server without a framework
((binary_expression left: (member_expression object: (identifier) @_of property: (property_identifier) @_url) operator: ["==" "==="] right: (string) @path) @site
  (#match? @_of "(?i)^(req|request|url|parsed\\w*|\\w*url)$")
  (#any-of? @_url "url" "pathname")
  (#set! default "ANY"))
(binary_expression
  left: (binary_expression left: (member_expression object: (identifier) @_of property: (property_identifier) @_url) operator: ["==" "==="] right: (string)) @site
  operator: "&&"
  right: (binary_expression left: (member_expression property: (property_identifier) @_method) operator: ["==" "==="] right: (string) @method)
  (#match? @_of "(?i)^(req|request|url|parsed\\w*|\\w*url)$")
  (#any-of? @_url "url" "pathname")
  (#eq? @_method "method"))
(binary_expression
  left: (binary_expression left: (member_expression property: (property_identifier) @_method) operator: ["==" "==="] right: (string) @method)
  operator: "&&"
  right: (binary_expression left: (member_expression object: (identifier) @_of property: (property_identifier) @_url) operator: ["==" "==="] right: (string)) @site
  (#match? @_of "(?i)^(req|request|url|parsed\\w*|\\w*url)$")
  (#any-of? @_url "url" "pathname")
  (#eq? @_method "method"))
