import { Controller } from '@nestjs/common';
import { Read, Write } from './decorators';

@Controller('moons')
export class MoonsController {
  @Read(':name')
  one() {}

  @Write('names/:name')
  rename() {}
}
