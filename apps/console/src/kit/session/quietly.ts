import { inBackground } from './origin.ts';

/** As `inBackground`, with the answer: for what the console asks again and again. Nobody is taken for present by it. */
export function quietly<T>(ask: () => T): T {
  let answer: T;
  inBackground(() => {
    answer = ask();
  });
  return answer!;
}
