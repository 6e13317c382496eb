% Adds two.
define add (a, b)
{
   return a + b;
}

static define hidden ()
{
}
