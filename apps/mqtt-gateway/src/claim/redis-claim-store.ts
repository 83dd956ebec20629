import { redisScript, type Redis } from '@carillon/service/cache';
import type { ClaimHolder, ClaimStore } from './claim-store.ts';

/**
 * How long Redis keeps a claim, and a released one, in milliseconds. Forgetting is safe, because an epoch is never
 * below the time.
 */
const claimMs = 7 * 86_400_000;
const releasedMs = 3_600_000;
/** Devices per script when Redis is restored. */
const restoredAtOnce = 200;

/** The value is `EPOCH GATEWAY`, or only `EPOCH` after a release. */
const claimScript = redisScript(`
local time = redis.call('TIME')
local epoch = ARGV[4] ~= '' and tonumber(ARGV[4]) or time[1] * 1000 + math.floor(time[2] / 1000)
if epoch <= tonumber(ARGV[5]) then epoch = ARGV[5] + 1 end
local held = redis.call('GET', KEYS[1])
local holder
if held then
  local last = tonumber(string.match(held, '^%d+'))
  holder = string.match(held, ' (.+)$')
  if last >= epoch then epoch = last + 1 end
end
redis.call('SET', KEYS[1], string.format('%.0f ', epoch) .. ARGV[1], 'PX', ${claimMs})
if holder and holder ~= ARGV[1] then redis.call('PUBLISH', ARGV[3] .. holder, string.format('%.0f ', epoch) .. ARGV[2]) end
return epoch`);

const releaseScript = redisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] .. ' ' .. ARGV[2] then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ${releasedMs})
end`);

/**
 * Restores claims that Redis does not have, given as MAC and epoch in turn. Returns those that another process holds by
 * a later claim.
 */
const restoreScript = redisScript(`
local lost = {}
for i, key in ipairs(KEYS) do
  local mac, epoch = ARGV[1 + 2 * i], ARGV[2 + 2 * i]
  local held = redis.call('GET', key)
  local last = held and tonumber(string.match(held, '^%d+')) or 0
  local holder = held and string.match(held, ' (.+)$')
  if last < tonumber(epoch) then
    redis.call('SET', key, epoch .. ' ' .. ARGV[1], 'PX', ${claimMs})
    if holder and holder ~= ARGV[1] then redis.call('PUBLISH', ARGV[2] .. holder, epoch .. ' ' .. mac) end
  elseif holder and holder ~= ARGV[1] and last > tonumber(epoch) then
    lost[#lost + 1] = mac
    lost[#lost + 1] = string.format('%.0f', last)
  end
end
return lost`);

/**
 * Claims shared by all gateway processes: one call per connect, and a notice to the process that lost the device. While
 * Redis is away a process claims by itself, by the same rule with its own clock and what it has seen; the session's
 * event, which every gateway reads (`link-feed.ts`), closes the older connection. Such claims are sent to Redis when it
 * is back.
 */
export class RedisClaimStore implements ClaimStore {
  private readonly joined = new Map<string, ClaimHolder>();
  /** Devices claimed without Redis, with their epochs. */
  private readonly own = new Map<string, number>();

  constructor(
    private readonly redis: Redis,
    private readonly options: { clock: { now(): number }; confirmed?: () => boolean; storeTime?: () => number },
  ) {
    redis.onReady(() => void this.restore().catch(() => {}));
  }

  async join(gateway: string, holder: ClaimHolder): Promise<void> {
    this.joined.set(gateway, holder);
    await this.redis.subscribe(this.channel(gateway), (message) => {
      const space = message.indexOf(' ');
      this.joined.get(gateway)?.loseDevice(message.slice(space + 1), Number(message.slice(0, space)));
    });
  }

  claim(mac: string, gateway: string): number | Promise<number> {
    if (!this.redis.ready) return this.claimAlone(mac, gateway);
    return this.redis
      .script<number>(
        claimScript,
        [this.key(mac)],
        [
          gateway,
          mac,
          this.channel(''),
          this.options.storeTime?.() ?? '',
          this.joined.get(gateway)?.highestEpoch(mac) ?? 0,
        ],
      )
      .then(
        (epoch) => {
          this.own.delete(mac);
          return Number(epoch);
        },
        () => this.claimAlone(mac, gateway),
      );
  }

  private claimAlone(mac: string, gateway: string): number {
    const epoch = Math.max(
      this.options.clock.now(),
      (this.own.get(mac) ?? 0) + 1,
      (this.joined.get(gateway)?.highestEpoch(mac) ?? 0) + 1,
    );
    this.own.set(mac, epoch);
    return epoch;
  }

  async release(mac: string, gateway: string, epoch: number): Promise<void> {
    // A claim that Redis does not know needs no release.
    if (this.own.get(mac) === epoch) this.own.delete(mac);
    else if (this.redis.ready)
      await this.redis.script(releaseScript, [this.key(mac)], [epoch, gateway]).catch(() => {});
  }

  alone(mac: string): boolean {
    return this.own.has(mac);
  }

  confirmed(gateway: string): boolean {
    return this.joined.has(gateway) && (this.options.confirmed?.() ?? true);
  }

  async leave(gateway: string): Promise<void> {
    this.joined.delete(gateway);
    await this.redis.unsubscribe(this.channel(gateway));
  }

  /** Sends the held devices to a Redis that is new, was emptied or missed claims. */
  private async restore(): Promise<void> {
    for (const [gateway, holder] of this.joined) {
      const held = [...holder.heldDevices()];
      for (let i = 0; i < held.length; i += restoredAtOnce) {
        const some = held.slice(i, i + restoredAtOnce);
        const lost = await this.redis.script<string[]>(
          restoreScript,
          some.map(({ mac }) => this.key(mac)),
          [gateway, this.channel(''), ...some.flatMap(({ mac, epoch }) => [mac, epoch])],
        );
        for (const { mac, epoch } of some) if ((this.own.get(mac) ?? Infinity) <= epoch) this.own.delete(mac);
        for (let j = 0; j < lost.length; j += 2) holder.loseDevice(lost[j]!, Number(lost[j + 1]));
      }
    }
  }

  private key(mac: string): string {
    return `${this.redis.prefix}claim:${mac}`;
  }

  private channel(gateway: string): string {
    return `${this.redis.prefix}lost:${gateway}`;
  }
}
