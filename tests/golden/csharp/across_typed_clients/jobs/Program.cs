var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddHttpClient<CatalogClient>(c => c.BaseAddress = new Uri("http://catalog-jobs"));
