import { createHash } from 'node:crypto';

/** Answers a captcha of the kind that a machine answers (AUTH-02). */
export function doWork({ challenge, rounds, bits }: { challenge: string; rounds: number; bits: number }): string {
  return Array.from({ length: rounds }, (_, round) => {
    for (let n = 0; ; n++) if (createHash('sha256').update(`${challenge}:${round}:${n}`).digest().readUInt32BE(0) >>> (32 - bits) === 0) return n;
  }).join('.');
}
