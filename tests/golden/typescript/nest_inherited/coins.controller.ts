import { Controller, Get } from '@nestjs/common';
import { Store } from './store';

@Controller('coins')
export class CoinsController extends Store<Coin> {
  @Get(':id')
  one() {}
}

@Controller('stamps')
class StampsController extends Store<Stamp> {}
