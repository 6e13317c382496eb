function reports() {
  return $.getJSON('/daily');
}
