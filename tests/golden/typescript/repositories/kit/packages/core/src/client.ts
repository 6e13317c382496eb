import type { Options } from './options';
import { Reply } from './reply';

export class Client {
  constructor(private options: Options) {}

  send(text: string): Promise<Reply> {
    return null as any;
  }

  static create(options: Options): Client {
    return new Client(options);
  }
}

export enum Mode {
  Fast,
  Slow,
}
