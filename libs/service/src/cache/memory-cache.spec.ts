import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cacheSuite } from '@carillon/testing/cache';
import { MemoryCache } from './memory-cache.ts';

cacheSuite('memory', {
  async open(count) {
    const one = new MemoryCache();
    return Array.from({ length: count }, () => one);
  },
});

describe('the cache in memory', () => {
  it('evicts the oldest values above the limit of entries', async () => {
    const cache = new MemoryCache({ entries: 100 });
    for (let i = 0; i < 10_000; i++) await cache.set(`k${i}`, 'v', 60_000);
    expect(cache.size).toBe(100);
    expect(await cache.get('k9900')).toBe('v');
    expect(await cache.get('k9899')).toBeNull();
  });

  it('evicts values above the limit of characters, and refuses a value larger than that limit', async () => {
    const cache = new MemoryCache({ characters: 10_000 });
    for (let i = 0; i < 100; i++) await cache.set(`k${i}`, 'v'.repeat(1_000), 60_000);
    expect(cache.size).toBeLessThan(10);
    expect(await cache.get('k99')).toHaveLength(1_000);
    await cache.set('k99', 'v'.repeat(20_000), 60_000);
    expect(await cache.get('k99')).toBeNull();
    expect(cache.size).toBeGreaterThan(5);
  });

  it('drops expired values during writes to other keys', async () => {
    let now = 0;
    const cache = new MemoryCache({ now: () => now });
    for (let i = 0; i < 1_000; i++) await cache.set(`old${i}`, 'v', 1_000);
    now = 2_000;
    for (let i = 0; i < 1_000; i++) await cache.set(`new${i % 10}`, 'v', 1_000);
    expect(cache.size).toBe(10);
  });

  it('does not keep its process alive', async () => {
    const run = promisify(execFile);
    const code =
      "const { MemoryCache } = await import('./memory-cache.ts'); await new MemoryCache().set('k', 'v', 60000); console.log('done');";
    const { stdout } = await run(
      process.execPath,
      ['--conditions=carillon-source', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code],
      { cwd: import.meta.dirname, timeout: 30_000 },
    );
    expect(stdout).toBe('done\n');
  });
});
