import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bench, report, runs, spread } from '@carillon/devtools/bench';
import { root, up } from './lib/instance.ts';
import { startFloor } from './lib/floor.ts';

/**
 * Measures `up` from a warm state to ready; the floor in the same runs is PostgreSQL's own start and a plain HTTP
 * server. Also measures `down`. With `--clone` also from a fresh clone.
 */
await bench('start', async () => {
  const data = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
  const warm: number[] = [];
  const down: number[] = [];
  const floor: number[] = [];
  (await up({ devices: 200, data })).down();
  for (let i = 0; i < runs(); i++) {
    const instance = await up({ devices: 200, data });
    warm.push(instance.startedAfter);
    const answer = performance.now();
    instance.down();
    down.push((performance.now() - answer) / 1000);
    floor.push(await startFloor());
  }
  rmSync(data, { recursive: true, force: true });
  report(
    {
      name: '`up` warm to ready, 200 devices',
      unit: 's',
      value: spread(warm).median,
      atMost: 12,
      beside: { name: 'PostgreSQL and a bare server', value: spread(floor).median },
    },
    spread(warm),
  );
  report({ name: '`down` to its end, 200 devices', unit: 's', value: spread(down).median, atMost: 3 }, spread(down));
  if (process.argv.includes('--clone')) {
    const clone = mkdtempSync(join(tmpdir(), 'carillon-clone-'));
    execFileSync('git', ['clone', '-q', root, clone]);
    const cache = mkdtempSync(join(tmpdir(), 'carillon-npm-'));
    const began = performance.now();
    const started = spawnSync(
      join(clone, 'carillon'),
      ['up', '--detach', '--json', '--port', '18199', '--mqtt-port', '11899', '--phone-port', '18198'],
      { cwd: clone, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, npm_config_cache: cache } },
    );
    const took = (performance.now() - began) / 1000;
    execFileSync(join(clone, 'carillon'), ['down'], { cwd: clone, stdio: 'ignore' });
    for (const folder of [clone, cache]) rmSync(folder, { recursive: true, force: true });
    if (started.status !== 0) throw new Error('the fresh clone did not start');
    report({ name: 'fresh clone to ready, packages downloaded', unit: 's', value: took, atMost: 180 });
  }
});
