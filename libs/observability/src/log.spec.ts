import { expect, test } from 'vitest';
import { createLogger, setLogDestination } from './log.ts';

test('C16: what looks like a line of a log, a colour or the end of an object stays inside of its own line', () => {
  const written: string[] = [];
  setLogDestination({
    write: (text: string) => {
      written.push(text);
    },
  });
  try {
    const log = createLogger('test');
    const texts = [
      'a\n{"level":"fatal","msg":"forged"}',
      '\u001b[31mred\u001b[0m',
      '"}\r\n{"a":1',
      '\u2028\u2029\u0085',
      '\u0000\u0008',
      'x'.repeat(10_000),
    ];
    for (const text of texts) {
      log.warn({ name: text, err: new Error(text), [text.slice(0, 20)]: text }, text);
      log.child({ user: text }).error(text);
    }
    expect(written).toHaveLength(2 * texts.length);
    for (const [i, line] of written.entries()) {
      // eslint-disable-next-line no-control-regex
      expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f]/);
      expect(line.endsWith('\n')).toBe(true);
      expect(JSON.parse(line)).toMatchObject({ service: 'test', level: i % 2 ? 'error' : 'warn', msg: texts[i >> 1] });
    }
  } finally {
    setLogDestination(undefined);
  }
});
