import { Controller, Get, Post } from '@nestjs/common';
@ApiTags('cats')
@Controller('cats')
export class CatsController {
  @Get()
  findAll() {}
  @Get(':id')
  @HttpCode(204)
  // text
  findOne(@Param('id') id: string) {}
  @UseGuards(A) @Post(['a', '/b'])
  async create() {}
  @Inject() private x: X;
  helper() {}
}
@Controller({ path: 'v2', version: '1' })
class Other { @Delete('x/:y') remove() {} @All('*') any() {} }
@Controller()
export class Root { @Put('root') async put() {} }
@Controller(['one', 'two'])
export class Two { @Patch() p() {} }
@Resolver()
export class R { @Query() q() {} }
// Not a controller's: members of other decorators.
class Dto { @Expose() @Type('/no') get!: string; @Transform('x') m() {} }
