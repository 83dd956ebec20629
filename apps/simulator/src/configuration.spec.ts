import { expect, it } from 'vitest';
import { readConfiguration } from './configuration.ts';

it('reads lines or elements, and reports unknown keys by name and lines without a key by number', () => {
  const lines =
    '\ufeff# Hall\r\naccount.1.label = Hall\r\n time.zone: Europe/Berlin\n;\n\naccount.1.fax = 1\nhunter2\n';
  expect(readConfiguration(lines)).toEqual({
    values: { 'account.1.label': 'Hall', 'time.zone': 'Europe/Berlin' },
    rejected: [
      { key: 'account.1.fax', code: 'unknown' },
      { key: 'line 7', code: 'syntax' },
    ],
  });
  expect(readConfiguration('<config><phone.language> ko </phone.language><levitate>1</levitate></config>')).toEqual({
    values: { 'phone.language': 'ko' },
    rejected: [{ key: 'levitate', code: 'unknown' }],
  });
  expect(readConfiguration('a = \0')).toBeNull();
  expect(readConfiguration(Buffer.from([0xff, 0xfe, 0x41]).toString())).toBeNull();
});

it('the reported keys of any file fit into one answer', () => {
  const many = Array.from({ length: 50_000 }, (_, n) => `unknown.key.${n} = x`).join('\n');
  expect(JSON.stringify(readConfiguration(many)!.rejected).length).toBeLessThan(60_000);
});
