import Service from './service';

export class Bands extends Service {
  constructor() {
    super({
      one: '/bands/{id}',
      add: '/bands',
    });
  }
}
