namespace Shop;

public static class Help
{
    public const string Text = "query the graphql endpoint { really }";
    public const string Lucene = "query: { name }";
}
