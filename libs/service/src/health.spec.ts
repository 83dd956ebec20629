import { describe, expect, it } from 'vitest';
import type { Logger } from '@carillon/observability';
import { Health, tellReady, untilReady } from './health.ts';

const silent = { info: () => undefined, error: () => undefined } as unknown as Logger;

describe('a process that has started says that it is ready', () => {
  it('when each of its parts is, and not before: a copy that is still being read would answer 503 to the first call', async () => {
    const asked: string[] = [];
    const [well, reading] = [new Health(), new Health()];
    well.add('database', () => null);
    reading.add('access', () => (asked.push('access') < 4 ? 'sessions and rights are being read' : null));
    expect(await tellReady([well, reading], silent)).toEqual({ ready: true });
    expect(asked).toHaveLength(4);
  });

  it('or after a while what stands against it, of every part, without the checks that are well', async () => {
    const [one, other] = [new Health(), new Health()];
    one.add('bus', () => 'cannot be written to');
    one.add('database', () => null);
    other.add('credentials', () => 'are being read');
    expect(await untilReady([one, other], 1)).toEqual({ bus: 'cannot be written to', credentials: 'are being read' });
  });

  it('or that it is ending, when it was told to end meanwhile', async () => {
    const health = new Health();
    health.drain();
    expect(await untilReady([health], 1)).toEqual({ process: 'is ending' });
  });
});
