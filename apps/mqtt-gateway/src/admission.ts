/** Why a CONNECT or a socket was not taken, for counting. */
export type Refusal = 'connections' | 'halfOpen' | 'halfOpenPerAddress' | 'connectTimeout' | 'rate' | 'storing' | 'credentialFeed' | 'draining' | 'secret' | 'disabled' | 'userName' | 'certificate';

/** Token bucket for CONNECTs: `perSecond` in the long run, `burst` at once. `now` in ms of any clock that only rises. */
export class TokenBucket {
  private tokens: number;
  private last = 0;
  constructor(private readonly perSecond: number, private readonly burst: number) {
    this.tokens = burst;
  }
  take(now: number): boolean {
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.last) * this.perSecond) / 1_000);
    this.last = now;
    if (this.tokens < 1) return false;
    this.tokens--;
    return true;
  }
}
