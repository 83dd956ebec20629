import { uuidv7 } from '@carillon/persistence';
import { RedisAway, redisScript, type Redis } from '@carillon/service';
import { createLogger } from '@carillon/observability';
import { longestMs, OwnBytes, type Bytes, type Wanted } from './own-bytes.ts';

const log = createLogger('download');
/** A process that is silent for this long no longer counts. */
const signMs = 30_000;
/** A request that is not repeated for this long gets no further bytes. */
const wantMs = 1_000;
/** How long unused bytes of a limit are kept. */
const keptMs = 50;

/**
 * Distributes what has accrued of each limit since the last call to all that want it, by their numbers of downloads and
 * up to what each wants; returns the caller's part. KEYS: the living processes, then the limits. ARGV: the caller, then
 * for each limit bytes per millisecond, downloads, and bytes wanted. Returns the number of living processes, then the
 * bytes for each limit.
 */
const leaseScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local me = ARGV[1]
redis.call('ZADD', KEYS[1], now, me)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${signMs})
redis.call('PEXPIRE', KEYS[1], ${signMs})
local answer = { redis.call('ZCARD', KEYS[1]) }
for i = 2, #KEYS do
  local at = 3 * i - 4
  local perMs, downloads, wants = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local text = redis.call('GET', KEYS[i])
  local limit = text and cmsgpack.unpack(text) or { at = now - 100, left = 0, of = {} }
  local pool = limit.left + math.min(math.max(now - limit.at, 0), ${longestMs}) * perMs
  local mine = limit.of[me] or { got = 0 }
  mine.downloads, mine.wants, mine.at = downloads, wants, now
  limit.of[me] = mine
  local hungry = {}
  for who, one in pairs(limit.of) do
    if now - one.at > ${wantMs} then
      limit.of[who] = nil
    elseif one.wants > one.got then
      hungry[#hungry + 1] = one
    end
  end
  while pool > 0 and #hungry > 0 do
    local all, rest = 0, {}
    for _, one in ipairs(hungry) do all = all + one.downloads end
    local each = pool / all
    for _, one in ipairs(hungry) do
      local lacks = one.wants - one.got
      if lacks <= each * one.downloads then
        one.got = one.wants
        pool = pool - lacks
      else
        rest[#rest + 1] = one
      end
    end
    if #rest == #hungry then
      for _, one in ipairs(hungry) do one.got = one.got + each * one.downloads end
      pool = 0
    end
    hungry = rest
  end
  local gets = math.floor(mine.got)
  mine.got = mine.got - gets
  mine.wants = math.max(mine.wants - gets, 0)
  limit.left = math.min(pool, ${keptMs} * perMs)
  limit.at = now
  redis.call('SET', KEYS[i], cmsgpack.pack(limit), 'PX', 10000)
  answer[i] = gets
end
return answer`);

/**
 * Limits that all processes of the service share. Without Redis each keeps its part: the limit divided by the last
 * known number of processes; a process that never reached Redis counts itself alone.
 */
export class SharedBytes implements Bytes {
  readonly everyMs = 100;
  private readonly own = new OwnBytes();
  private readonly me = uuidv7();
  private processes = 1;
  /** A lasting fault is logged once. */
  private isTold = false;

  constructor(private readonly redis: Redis) {}

  async lease(wanted: readonly Wanted[]): Promise<number[]> {
    try {
      const [processes, ...got] = await this.redis.script<number[]>(
        leaseScript,
        [this.key('processes'), ...wanted.map(({ key }) => this.key(`limit:${key}`))],
        [this.me, ...wanted.flatMap(({ perMs, downloads, bytes }) => [perMs, downloads, Math.ceil(bytes)])],
      );
      this.processes = processes!;
      return got;
    } catch (error) {
      if (!(error instanceof RedisAway) && !this.isTold) {
        this.isTold = true;
        log.warn({ err: error }, 'Redis does not share the bandwidth');
      }
      return this.own.lease(wanted.map((one) => ({ ...one, perMs: one.perMs / this.processes })));
    }
  }

  async close(): Promise<void> {
    await this.redis.send(['ZREM', this.key('processes'), this.me]).catch(() => undefined);
  }

  private key(name: string): string {
    return `${this.redis.prefix}download:${name}`;
  }
}
