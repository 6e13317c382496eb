; framework: next   needs: "function GET" "function POST" "function PUT" "function DELETE" "function PATCH" "const GET" "const POST" "const PUT" "const DELETE" "const PATCH" "as GET" "as POST" "as PUT" "as DELETE" "as PATCH" "GET: APIRoute"   emits: http.provides

; Files that are routes: Next.js app/**/route.ts, SvelteKit routes/**/+server.ts, Astro pages/**.ts
((export_statement declaration: (function_declaration name: (identifier) @method @handler)) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "ALL")
  (#set! append "/@file=app=-=route|routes=-=+server|pages=-=-"))
((export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @method @handler))) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "ALL")
  (#set! append "/@file=app=-=route|routes=-=+server|pages=-=-"))
((export_statement (export_clause (export_specifier name: (_) @handler alias: (_) @method))) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH")
  (#set! append "/@file=app=-=route|routes=-=+server|pages=-=-"))
((export_statement (export_clause (export_specifier name: (_) @method @handler !alias))) @site
  (#any-of? @method "GET" "POST" "PUT" "DELETE" "PATCH")
  (#set! append "/@file=app=-=route|routes=-=+server|pages=-=-"))
