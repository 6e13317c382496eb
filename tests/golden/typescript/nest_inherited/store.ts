import { Body, Delete, Get, Post } from '@nestjs/common';

export abstract class Store<T> {
  constructor(protected readonly rows: Rows<T>) {}

  @Get()
  all() {}

  @Get(':id')
  one() {}

  @Post()
  add(@Body() row: T) {}
}
