// speaks of http-proxy-middleware, but makes none
app.use('/api', rateLimit({ target: 5 }));
app.use('/docs', serveStatic({ target: 'http://no' }));
