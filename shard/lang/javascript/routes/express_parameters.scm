; framework: express   needs: "express" "outer" "app."   emits: http.provides   only: javascript

(formal_parameters (identifier) @bind (#match? @bind "^(app|server|router|[a-z]+Router)$"))
