import { randomOf } from './random.ts';

/** How a simulated device behaves, and what it does differently from a healthy one. */
export const behaviours = {
  normal: 'keeps the link to the letter',
  slow: 'takes its time before each answer',
  failing: 'accepts each command and fails',
  busy: 'does something else just now and says so',
  offline: 'never connects; told so at run time, it vanishes without a goodbye',
  duplicating: 'sends each message behind the hello twice',
  reordering: 'sends its answers out of order',
  dead: 'is connected and answers nothing',
  broken: 'has what it loads damaged on the way',
  stuck: 'comes back from an upgrade with the version that it had',
  clock: 'has a wall clock that is wrong by hours',
} as const;
export type Behaviour = keyof typeof behaviours;
export const isBehaviour = (name: string): name is Behaviour => Object.hasOwn(behaviours, name);

export type Mix = Partial<Record<Behaviour, number>>;

/** Parses `normal=90,slow=5,…`: relative shares, whatever their sum. Throws on an unknown name. */
export function parseMix(text: string): Mix {
  const mix: Mix = {};
  for (const part of text
    .split(',')
    .map((p) => p.trim())
    .filter(Boolean)) {
    const [name, share] = part.split('=');
    if (!isBehaviour(name!) || !/^\d+(\.\d+)?$/.test(share ?? ''))
      throw new Error(`'${part}' is not one of ${Object.keys(behaviours).join(', ')} with a number, as in slow=5`);
    mix[name] = Number(share);
  }
  return mix;
}

/**
 * Assigns a behaviour to each MAC: the shares are as exact as the number of devices allows, and the seed decides which
 * device gets which.
 */
export function assign(macs: readonly string[], mix: Mix, seed: number): Map<string, Behaviour> {
  const shares = Object.entries(mix) as [Behaviour, number][];
  const whole = shares.reduce((sum, [, share]) => sum + share, 0);
  const order = macs
    .map((mac) => ({ mac, at: randomOf(seed, 'behaviour', mac)() }))
    .sort((a, b) => a.at - b.at || (a.mac < b.mac ? -1 : 1));
  const assigned = new Map<string, Behaviour>(macs.map((mac) => [mac, 'normal']));
  let from = 0;
  let sum = 0;
  for (const [behaviour, share] of whole > 0 ? shares : []) {
    sum += share;
    const to = Math.round((macs.length * sum) / whole);
    for (const { mac } of order.slice(from, to)) assigned.set(mac, behaviour);
    from = to;
  }
  return assigned;
}
