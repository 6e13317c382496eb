import { Controller, Get, Query } from '@nestjs/common';

// Parameters of a request over HTTP; a field of an entity that is no root.
@Controller('search')
export class SearchController {
  @Get()
  search(@Query('text') text: string, @Query() rest: Filter) {
    return [text, rest];
  }
}
