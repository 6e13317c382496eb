CATALOGUE = "/load/catalogue"
