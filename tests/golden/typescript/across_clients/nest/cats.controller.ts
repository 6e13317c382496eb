import { Controller, Get } from '@nestjs/common';
@Controller('cats')
export class CatsController { constructor(private http: HttpService) {} @Get(':id') one() { return this.http.get('http://owners/owners'); } }
