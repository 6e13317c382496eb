global using Acme;
