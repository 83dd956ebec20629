import { expect, it } from 'vitest';
import { channelOrderImport } from '@carillon/contracts';
import { matchColumns } from './import.columns.ts';

const of = (headers: readonly string[], remembered: Record<string, string> = {}) =>
  matchColumns(channelOrderImport, headers, new Map(Object.entries(remembered)));

it('columns are found by key, by title in any language, and by usual headings of suppliers', () => {
  expect(of(['mac', 'Modelo', '订单'])).toEqual({ mac: 0, model: 1, order: 2 });
  expect(of(['Item no.', 'MAC Address', 'Product Model', 'PO-Number'])).toEqual({ mac: 1, model: 2, order: 3 });
  expect(of(['MAC 地址：', 'Device'])).toEqual({ mac: 0 });
});

it('a title counts before a usual heading, the first of two columns counts, and a chosen header before both', () => {
  expect(of(['MAC address', 'MAC'])).toEqual({ mac: 1 });
  expect(of(['MAC ID', 'MAC address'])).toEqual({ mac: 0 });
  expect(of(['Label', 'MAC'], { label: 'mac' })).toEqual({ mac: 0 });
});
