; framework: express   needs: "express" "outer" "app."   emits: http.provides

(formal_parameters (_ pattern: (identifier) @bind) (#match? @bind "^(app|server|router|[a-z]+Router)$"))
