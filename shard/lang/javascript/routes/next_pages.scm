; framework: next_pages   needs: "NextApi" "res.status(" "res.json(" "res.send(" "res.end(" "ventHandler(" "NextAuth(" "nextConnect(" "NextApiHandler"   emits: http.provides

; Next.js pages/api/**: the default export answers what it asks req.method for, or anything.
((export_statement "default" (_)) @site
  (#set! method "ANY")
  (#set! append "/@file=pages=api=-"))
((assignment_expression left: (member_expression) @_exports) @site
  (#eq? @_exports "module.exports")
  (#set! method "ANY")
  (#set! append "/@file=pages=api=-"))
((binary_expression left: (member_expression property: (property_identifier) @_method) right: (string) @method) @site
  (#eq? @_method "method")
  (#match? @method "^.(GET|POST|PUT|PATCH|DELETE).$")
  (#set! append "/@file=pages=api=-"))
((switch_case value: (string) @method) @site
  (#match? @method "^.(GET|POST|PUT|PATCH|DELETE).$")
  (#set! append "/@file=pages=api=-"))

; Nuxt server/api/**, server/routes/**: the file's name may end with the method
((export_statement "default" (call_expression function: (identifier) @_define)) @site
  (#match? @_define "[eE]ventHandler$")
  (#set! method "ANY")
  (#set! append "/@file=server=api=-|server/routes=-=-"))
