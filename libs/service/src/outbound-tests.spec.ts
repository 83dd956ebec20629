import { expect, test } from 'vitest';
import { runAs, systemContext } from '@carillon/tenancy';
import { OutboundTests } from './outbound-tests.ts';

test('a company runs two tests at once, a process eight, and each place is freed', async () => {
  const tests = new OutboundTests();
  const ends: (() => void)[] = [];
  const begin = (company: string): Promise<string> =>
    runAs(systemContext(company), () =>
      tests.run(
        () =>
          new Promise<string>((resolve) => {
            ends.push(() => resolve('done'));
          }),
      ),
    ).catch((error: { key: string }) => error.key);
  const running = ['a', 'a', 'b', 'b', 'c', 'c', 'd'].map(begin);
  expect(await begin('a')).toBe('common.tooMany');
  running.push(begin('e'));
  expect(await begin('f')).toBe('common.tooMany');
  for (const end of ends) end();
  expect(new Set(await Promise.all(running))).toEqual(new Set(['done']));
  const again = begin('a');
  ends.at(-1)!();
  expect(await again).toBe('done');
});
