// Two quotes are one of a verbatim string, also right behind an interpolation.
class Harbour
{
	void Drop(string table) => Run($@"DROP TABLE ""{table}""");

	void Count(string table, int id)
	{
		Run(@$"
			SELECT ""{table}"".""ID"" FROM ""{table}"" WHERE ""ID"" = {id}
		", id);
		Run($@"{table}""{id}");
		Run($@"{table}");
		Run(@"say ""x""");
	}

	void After(int id) => Run($"a {id} b", id);
}
