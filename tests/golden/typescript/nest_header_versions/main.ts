import { NestFactory } from '@nestjs/core';
import { VersioningType } from '@nestjs/common';
async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.enableVersioning({ type: VersioningType.HEADER, header: 'X-V' });
}
