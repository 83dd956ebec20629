import { describe, expect, it } from 'vitest';
import { hasKeyTwice } from './json.ts';

describe('a text of JSON', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":{"a":1},"a":2}',
    '[{"x":[],"y":{"k":1,"k":2}}]',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"":1,"":2}',
  ])('that has a key twice is told: %s', (text) => {
    expect(hasKeyTwice(text)).toBe(true);
  });

  it.each([
    '{}',
    'null',
    '"a:b"',
    '["a","a"]',
    '{"a":{"a":{"a":[]}},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"b\\",\\"a\\":1","c":"}{"}',
    '{"a":"\\\\","b":"a"}',
  ])('that has no key twice is accepted: %s', (text) => {
    expect(hasKeyTwice(text)).toBe(false);
  });
});
