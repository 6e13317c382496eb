package com.shop;

import com.acme.Currency;
import com.acme.Money;
import com.other.Thing;

class Main {
  Money price(Currency c, Thing t) { return Money.of(3); }
}
