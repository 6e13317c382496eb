import { OnModuleInit } from '@nestjs/common';
import { ClientGrpc } from '@nestjs/microservices';

export class HeroesGateway implements OnModuleInit {
  private heroes: Heroes;

  constructor(private client: ClientGrpc) {}

  onModuleInit() {
    this.heroes = this.client.getService<Heroes>('HeroesService');
  }

  find(id: number) {
    return this.heroes.findOne({ id });
  }
}
