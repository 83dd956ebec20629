import { describe, expect, it } from 'vitest';
import type { Logger } from '@carillon/observability';
import { Health, reportReady, untilReady } from './health.ts';

const silent = { info: () => undefined, error: () => undefined } as unknown as Logger;

describe('a started process reports its state', () => {
  it('as ready only when all its parts are: a copy that is still being read would answer 503', async () => {
    const asked: string[] = [];
    const [well, reading] = [new Health(), new Health()];
    well.add('database', () => null);
    reading.add('access', () => (asked.push('access') < 4 ? 'sessions and rights are being read' : null));
    expect(await reportReady([well, reading], silent)).toEqual({ ready: true });
    expect(asked).toHaveLength(4);
  });

  it('after a timeout with the failing checks of every part, without the passing ones', async () => {
    const [one, other] = [new Health(), new Health()];
    one.add('bus', () => 'cannot be written to');
    one.add('database', () => null);
    other.add('credentials', () => 'are being read');
    expect(await untilReady([one, other], 1)).toEqual({ bus: 'cannot be written to', credentials: 'are being read' });
  });

  it('as ending when it was told to end meanwhile', async () => {
    const health = new Health();
    health.drain();
    expect(await untilReady([health], 1)).toEqual({ process: 'is ending' });
  });
});
