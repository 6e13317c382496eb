# A file in the middle of an edit: what cannot be parsed hides no name.
module Tide
  class Harbour < Port
    def arrive(ship, berth
      place = berths[
      if ship.length > {

    def leave(ship)
      puts(
