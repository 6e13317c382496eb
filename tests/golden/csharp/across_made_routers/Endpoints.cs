using Microsoft.AspNetCore.Builder;
public class CrudEndpoints
{
    private readonly string _prefix;
    public CrudEndpoints(string prefix) { _prefix = prefix; }
    public void Map(WebApplication app)
    {
        app.MapGet(_prefix + "/{id}", One);
        app.MapPost($"{_prefix}/new", Add);
    }
    object One(int id) => id;
    object Add() => 1;
}
