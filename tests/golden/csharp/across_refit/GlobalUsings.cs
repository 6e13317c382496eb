global using Refit;
