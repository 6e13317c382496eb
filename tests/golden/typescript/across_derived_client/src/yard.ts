import { Depot } from './depot';

class Shelf {
  get(key: string) { return key; }
}

export class Yard {
  constructor(private depot: Depot, private shelf: Shelf) {}
  truck(id: string) { return this.depot.delete(`/trucks/${id}`); }
  place() { return this.shelf.get('/places'); }
}
