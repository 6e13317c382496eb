/* What a search by meaning finds in the shop's services, with the builtin embedder, in tests/answers/vectors.txt: rpc_answers.h. */
#include "tests/shop_history.h"

int main(int argc, char **argv)
{
	struct answers_case shop = { "tests/answers/vectors.txt", "tests/fixtures/shop", "builtin",
		"1048576", make_repository, change_repository };

	return answers_main(&shop, argc, argv);
}
