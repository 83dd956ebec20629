import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CompanyTurns } from './company-turns.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const within = 10_000;
/** Lets calls of a company begin. Returns the functions that end those that have a connection. */
async function begin(turns: CompanyTurns, company: string, calls: number) {
  const running: (() => void)[] = [];
  for (let n = 0; n < calls; n++) void turns.take(company).then((end) => running.push(end));
  await vi.advanceTimersByTimeAsync(0);
  return running;
}
const heavy = async (turns: CompanyTurns) => {
  const running = await begin(turns, 'heavy', 20);
  await vi.advanceTimersByTimeAsync(600);
  for (const end of running.splice(0)) end();
  await vi.advanceTimersByTimeAsync(0);
  return running;
};

test('a company holds at most its number of connections, and each one given back starts a call that waits', async () => {
  const running = await begin(new CompanyTurns(4, within), 'one', 6);
  expect(running).toHaveLength(4);
  running[0]!();
  await vi.advanceTimersByTimeAsync(0);
  expect(running).toHaveLength(5);
});

test('a heavy company keeps all of them while it is alone', async () => {
  expect(await heavy(new CompanyTurns(4, within))).toHaveLength(4);
});

test('a heavy company holds half of them while another one is active', async () => {
  const turns = new CompanyTurns(4, within);
  await begin(turns, 'other', 1);
  const running = await heavy(turns);
  expect(running).toHaveLength(2);
  running[0]!();
  await vi.advanceTimersByTimeAsync(0);
  expect(running).toHaveLength(3);
});

test('a company that was heavy two seconds ago holds all of them again', async () => {
  const turns = new CompanyTurns(4, within);
  await begin(turns, 'other', 1);
  const running = await heavy(turns);
  while (running.length > 0) {
    for (const end of running.splice(0)) end();
    await vi.advanceTimersByTimeAsync(0);
  }
  await vi.advanceTimersByTimeAsync(2_000);
  await begin(turns, 'other', 1);
  expect(await begin(turns, 'heavy', 9)).toHaveLength(4);
});

test('a call that gets no connection in time is refused, and the next one keeps its turn', async () => {
  const turns = new CompanyTurns(1, within);
  const [end] = await begin(turns, 'one', 1);
  const refused = expect(turns.take('one')).rejects.toThrow('timeout exceeded when trying to connect');
  await vi.advanceTimersByTimeAsync(within / 2);
  const later = await begin(turns, 'one', 1);
  await vi.advanceTimersByTimeAsync(within / 2);
  await refused;
  end!();
  await vi.advanceTimersByTimeAsync(0);
  expect(later).toHaveLength(1);
});
