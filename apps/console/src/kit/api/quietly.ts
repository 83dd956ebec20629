import { inBackground } from '../browser/origin.ts';

/** Like `inBackground`, with a result: for polling. It does not count as user activity. */
export function quietly<T>(ask: () => T): T {
  let answer: T;
  inBackground(() => {
    answer = ask();
  });
  return answer!;
}
