import { Controller, Get } from '@nestjs/common';
@Controller({ path: 'cats', version: '2' })
export class CatsController { @Get() list() { return []; } }
