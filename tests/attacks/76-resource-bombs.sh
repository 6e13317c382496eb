#!/bin/bash
# Files that any committer can push, which cost far more to process than their size suggests: YAML aliases that expand to billions
# of values, OpenAPI that refers to itself, manifests that are too deep or too wide, ignore rules that match slowly.  Each is
# indexed beside a benign file.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../bombs.sh"

benign
bombs alias_atoll alias_kubernetes ref_openapi deep_package ignore_rules unclosed_holes signs_of_urls \
	unclosed_quotes unended_annotations left_out deep_crate nested_code nested_tags many_operations
[ -z "${ATTACKS:-}" ] || bombs alias_compose alias_config alias_application alias_values alias_ingress alias_products alias_openapi \
	cycle_openapi base_openapi alias_serverless alias_collection alias_tsconfig deep_yaml wide_yaml unclosed wide_toml deep_toml deep_xml \
	words_of_code long_lines minified many_lines hostile_text expanded_urls nginx_sets shared_sets wide_nginx hcl graphql proto padded_keys \
	codeowners scip
