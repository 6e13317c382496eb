import { Controller } from '@nestjs/common';
import { Read } from './decorators';

@Controller('suns')
export class SunsController {
  @Read(':name/spots')
  spots() {}
}
