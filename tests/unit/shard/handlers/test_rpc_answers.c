/* What the handlers of a shard answer about the shop's services, in tests/answers/shard.txt: rpc_answers.h. */
#include "tests/shop_history.h"

int main(int argc, char **argv)
{
	struct answers_case shop = { "tests/answers/shard.txt", "tests/fixtures/shop", "none",
		"1048576", make_repository, change_repository };

	return answers_main(&shop, argc, argv);
}
