import { hash } from 'node:crypto';

/** Solves a captcha that is solved by computing (AUTH-02). */
export function doWork({ challenge, rounds, bits }: { challenge: string; rounds: number; bits: number }): string {
  return Array.from({ length: rounds }, (_, round) => {
    for (let n = 0; ; n++)
      if (Number.parseInt(hash('sha256', `${challenge}:${round}:${n}`).slice(0, 8), 16) >>> (32 - bits) === 0) return n;
  }).join('.');
}
