import { createClient } from '@connectrpc/connect';
import { HeroesService } from './gen/heroes_connect';
import { HeroesServiceClient } from './gen/heroes_grpc_web_pb';

const heroes = createClient(HeroesService, transport);

export class Page {
  private web = new HeroesServiceClient('/api');

  async load() {
    await heroes.findOne({ id: 1 });
    this.web.findMany({});
  }
}
