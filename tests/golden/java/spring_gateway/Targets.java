package shop;

class Targets {
  static final String ORDERS = "lb://orders";
}
