import { expect, it } from 'vitest';
import { testBody } from '../test-body.ts';
import { actions } from '../index.ts';

const { locate } = actions;

it.each([5, 30, 120])('blinks for %i seconds', (seconds) => {
  expect(locate!.params.parse({ seconds })).toEqual({ seconds });
});

it('blinks for half a minute by default', () => {
  expect(locate!.params.parse({})).toEqual({ seconds: 30 });
});

it.each([4, 121, 5.5, '30', Number.NaN])('is not ordered for %o seconds', (seconds) => {
  expect(locate!.params.safeParse({ seconds }).success).toBe(false);
});

it('shows that it blinks for the given time, and answers at once', async () => {
  const seen: [string, number][] = [];
  const answers: string[] = [];
  const body = testBody({ show: (sight, forMs) => void seen.push([sight, forMs]) });
  await locate!.device({ seconds: 7 }, body, async ({ status }) => void answers.push(status));
  expect([seen, answers]).toEqual([[['blinking', 7_000]], ['success']]);
});
