#!/bin/bash
# GraphQL across repositories: root fields with their resolvers, operations of clients, links, impact, an incremental update.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

for n in users shop web; do
	mkdir -p "$W/src/$n"
	git init -q -b main "$W/src/$n"
	git -C "$W/src/$n" remote add origin "https://git.example.com/team/$n.git"
done
cat >"$W/src/users/schema.graphql" <<'END'
type Query { users: [User!]! user(id: ID!): User }
type User { id: ID! }
END
cat >"$W/src/users/resolvers.js" <<'END'
function findUser(_, { id }) {
	return db.get(id);
}
module.exports = {
	Query: {
		users: () => db.all(),
		user: findUser,
	},
};
END
cat >"$W/src/shop/server.js" <<'END'
const typeDefs = gql`type Query { orders: [Int] user: Int } type Mutation { order: Int }`;
const resolvers = { Query: { orders: () => [], user: () => 1 }, Mutation: { order: () => 1 } };
END
cat >"$W/src/web/queries.graphql" <<'END'
query Profile($id: ID!) { user(id: $id) { id } }
query Orders { orders }
END
cat >"$W/src/web/app.js" <<'END'
import { gql } from "@apollo/client";
export function useUsers() {
	return useQuery(gql`query Users { users { id } nothing }`);
}
END
for n in users shop web; do commit "$W/src/$n" one; done
up --group g "$W"/src/*
ready g 3
call group_sync '{"group":"g"}' >/dev/null

rows() {	# each row: path, who asks, who answers, on which evidence
	call group_contracts '{"group":"g","kinds":["graphql"],"limit":100}' | jq -r '
		(.contracts[] | "\(.method) \(.path) \(.consumer.repo_uri | split("/")[2]):\(.consumer.symbol) \(.producer.repo_uri | split("/")[2]):\(.producer.symbol) \([.evidence[].code // empty | select(. != "path")] | join(" "))"),
		(.unresolved[] | "? \(.path) \(.reason)"), (.producers_without_consumers[] | "- \(.producer.path)")' | sort
}
same "contracts" "$(rows)" "$(sort <<'END'
GRAPHQL Query.orders web:Orders shop:resolvers.orders contract_name
GRAPHQL Query.user web:Profile shop:resolvers.user contract_name one_of_several
GRAPHQL Query.user web:Profile users:findUser contract_name one_of_several
GRAPHQL Query.users web:useUsers users:users contract_name
? Query.nothing no-producer
- Mutation.order
END
)"
ok "fields of several servers are matched; unresolved ones are listed"

call route_map '{"repo":"team/users"}' |
	jq -e '[.routes[] | select(.kind == "graphql" and .path == "Query.users").consumers[].repo_uri] == ["git.example.com/team/web"]' >/dev/null ||
	fail "route_map: $(call route_map '{"repo":"team/users"}')"
call group_cross_repo_links '{"group":"g","relation":"queries_field"}' |
	jq -e '.links | length == 4 and all(.source_repo_uri == "git.example.com/team/web")' >/dev/null ||
	fail "links: $(call group_cross_repo_links '{"group":"g"}')"
call impact '{"repo":"team/users","symbol":"findUser"}' >"$W/r"
jq -e '[.cross_repo[].symbol] == ["Profile"]' "$W/r" >/dev/null || fail "impact: $(cat "$W/r")"
ok "route_map, links and impact show them"

# The schema gets a field that only the schema and a client mention.
printf 'type Query { users: [User!]! user(id: ID!): User nothing: Int }\ntype User { id: ID! }\n' >"$W/src/users/schema.graphql"
commit "$W/src/users" two
has_nothing() { rows | grep -q '^GRAPHQL Query.nothing web:useUsers users:null address documented$'; }
wait_for 20 has_nothing
call group_contracts '{"group":"g","kinds":["graphql"],"limit":100}' |
	jq -e '[.contracts[] | select(.ambiguous | not)] | (map(select(.path == "Query.nothing").confidence) | max) < (map(select(.path != "Query.nothing").confidence) | min)' >/dev/null ||
	fail "what only a document declares is as sure as code"
ok "a new field of a schema whose other fields have resolvers is matched with less confidence"

printf 'exclude: [server.js]\n' >"$W/src/shop/atoll.yaml"
commit "$W/src/shop" two
only_users() { rows | grep -q '^GRAPHQL Query.user web:Profile users:findUser address$' && ! rows | grep -q ' shop:'; }
wait_for 20 only_users
ok "what atoll.yaml excludes is not matched"
