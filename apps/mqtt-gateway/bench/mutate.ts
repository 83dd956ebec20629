/** Sends mutated sessions to a gateway: mutate.ts [seconds] [seed]. Exits with 1 when the gateway fails. */
import { randomInt } from 'node:crypto';
import { mutate } from '../src/conformance/mutation.ts';

const seconds = Number(process.argv[2] ?? 30);
const seed = Number(process.argv[3] ?? randomInt(2 ** 31));
console.log({ seconds, seed });
const { stats, ...figures } = await mutate(seed, seconds);
console.log({
  ...figures,
  growth: `${(figures.growth / 1e6).toFixed(1)} MB`,
  accepted: stats.accepted,
  defects: stats.defects,
  invalid: stats.invalid,
  faults: stats.faults,
});
process.exit(stats.defects === 0 && stats.devices === 1 ? 0 : 1);
