import { Controller, Get, Post, Version, Param } from '@nestjs/common';
@Controller({ path: 'cats', version: '2' })
export class CatsController {
  @Get() list() { return []; }
  @Version('3') @Get(':id') one() { return 1; }
}
@Controller('dogs')
export class DogsController {
  @Post() add() {}
  @Get(['a', 'b']) two() {}
}
@Controller({ path: 'multi', version: ['1', '2'] })
export class MultiController { @Get('x') x() {} }
@Controller('health')
export class HealthController { @Get() h() {} }
