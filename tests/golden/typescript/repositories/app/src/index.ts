import { Client, Mode, helpers, logLevel, makeLog as log, type Options } from '@kit/core';
import * as kit from '@kit/core';
import { KitError } from '@kit/core/errors';
import { listParts } from '@kit/core/parts/list';
import { Client as Own } from './client';
import { Client as Elsewhere } from 'not-indexed';

export { Client as KitClient } from '@kit/core';

class Special extends kit.Client {
  async run(options: Options, unknown: any) {
    const reply = await this.send('x');
    reply.body();
    options.retry(logLevel);
    new Own().send('y');
    new Elsewhere().send('z');
    unknown.send('u');
    return Mode.Fast;
  }
}

export async function main(options: kit.Options) {
  const client = Client.create(options);
  (await client.send('a')).body();
  log('main').write('text');
  helpers.trim('b');
  try {
    listParts();
  } catch (error) {
    if (error instanceof KitError) throw new KitError('c');
  }
  type Kind = typeof logLevel;
}
