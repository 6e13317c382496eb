; framework: next   needs: "function GET" "function POST" "function PUT" "function DELETE" "function PATCH" "const GET" "const POST" "const PUT" "const DELETE" "const PATCH" "as GET" "as POST" "as PUT" "as DELETE" "as PATCH" "GET: APIRoute" "const actions"   emits: http.provides

; Files that are routes: Next.js app/**/route.ts, SvelteKit routes/**/+server.ts, SolidStart src/routes/api/**.ts, Astro pages/**.ts
((export_statement declaration: (function_declaration name: (identifier) @method @handler)) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "ALL")
  (#set! append "/@file=app=-=route=_|routes=-=+server|src/routes=api=-|pages=-=-=_"))
((export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @method @handler))) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "ALL")
  (#set! append "/@file=app=-=route=_|routes=-=+server|src/routes=api=-|pages=-=-=_"))
((export_statement (export_clause (export_specifier name: (_) @handler alias: (_) @method))) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH")
  (#set! append "/@file=app=-=route=_|routes=-=+server|src/routes=api=-|pages=-=-=_"))
((export_statement (export_clause (export_specifier name: (_) @method @handler !alias))) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH")
  (#set! append "/@file=app=-=route=_|routes=-=+server|src/routes=api=-|pages=-=-=_"))

; SvelteKit: the forms of a page, routes/**/+page.server.ts
((export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @_actions))) @site
  (#eq? @_actions "actions")
  (#set! method "POST")
  (#set! append "/@file=routes=-=+page.server"))
