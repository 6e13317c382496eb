require "sinatra"
ROWS = [[:get, "/a"], [:post, "/b"]]
ROWS.each { |verb, path| send(verb, "/t" + path) { "x" } }
ROWS.map { |v, p| [v, "/m#{p}"] }.each { |verb, path| send(verb, path) { "x" } }
%w[c d].each { |p| get("/s/#{p}") { "x" } }
{ get: "/e", post: "/f" }.each { |verb, path| send(verb, "/h" + path) { "x" } }
[{ verb: :get, path: "/g" }].each { |o| send(o[:verb], "/o" + o[:path]) { "x" } }
%w[i j].map { |p| "/q/#{p}" }.each { |p| get(p) { "x" } }
