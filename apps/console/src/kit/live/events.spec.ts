import { expect, it } from 'vitest';
import { readEvents } from './events.ts';

async function read(...parts: string[]) {
  const encoder = new TextEncoder();
  const found = [];
  for await (const e of readEvents(
    new ReadableStream({
      start(c) {
        parts.forEach((p) => c.enqueue(encoder.encode(p)));
        c.close();
      },
    }),
  ))
    found.push(e);
  return found;
}

it('reads events that are cut anywhere', async () => {
  const text = 'event: changed\r\ndata: {"kind":"device","ids":["设备"]}\r\n\r\n: alive\n\nevent:session\ndata:\n\n';
  const whole = await read(text);
  expect(whole).toEqual([
    { event: 'changed', data: '{"kind":"device","ids":["设备"]}' },
    { event: 'session', data: '' },
  ]);
  for (let cut = 1; cut < text.length; cut++) expect(await read(text.slice(0, cut), text.slice(cut))).toEqual(whole);
});

it('joins data lines, resets the name after each event and drops an unfinished one', async () => {
  expect(await read('event: a\ndata: 1\ndata: 2\n\ndata: 3\n\ndata: 4\n')).toEqual([
    { event: 'a', data: '1\n2' },
    { event: 'message', data: '3' },
  ]);
});
