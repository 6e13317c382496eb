// Near axios, Express, Fastify, fetch, Hono, NestJS, Next.js, RTK Query and request, and none of them.
import type { AxiosError, AxiosResponse } from 'axios';
import type { Request, Response } from 'express';
import type { FastifyBaseLogger } from 'fastify';
import { HTTPException } from 'hono/http-exception';
import { Injectable, Inject } from '@nestjs/common';
import { createApi } from './local';
import { request } from './graph';

const seen = new Map<string, AxiosResponse>();

export function failed(error: AxiosError, cache: Cache<Response>): void {
  seen.get('/seen');
  seen.delete('/seen');
  cache.put('/cached', error.response);
  error.config?.params.get('/params');
}

@Injectable()
export class Registry {
  constructor(@Inject('ROUTES') private readonly routes: Map<string, Handler>, private readonly log: FastifyBaseLogger) {}

  @Memo()
  get(path: string) {
    return this.routes.get('/routes');
  }

  @Get
  all(@Query('/query') query: string, req: Request) {
    this.log.info('/logged', query);
    return req.app.get('/setting');
  }

  fetch(key: string) {
    return this.fetch('/own');
  }
}

export const api = createApi({ endpoints: { users: () => ['/users'] } });
const table = builder.query({ select: (id: number) => `users/${id}` });
const context = new HTTPException(404, { message: '/missing' });
const drawn = request({ shape: 'circle', path: '/drawn' });

export const GET = 'GET';
export function handler(req: NextApiRequest) {
  return req.query.get('/query');
}

class Bus {
  @MessagePatterns('/patterns')
  on(@Payload() data: unknown) {
    this.emitter.on('/on', data);
    this.emitter.emit('GET', '/emitted');
  }
}
