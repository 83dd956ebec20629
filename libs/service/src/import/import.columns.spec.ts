import { expect, it } from 'vitest';
import { channelOrderImport } from '@carillon/contracts';
import { matchColumns } from './import.columns.ts';

const columns = (headers: readonly string[], remembered: Record<string, string> = {}) =>
  matchColumns(channelOrderImport, headers, new Map(Object.entries(remembered)));

it('columns are found by key, by title in any language, and by usual headings of suppliers', () => {
  expect(columns(['mac', 'Modelo', '订单'])).toEqual({ mac: 0, model: 1, order: 2 });
  expect(columns(['Item no.', 'MAC Address', 'Product Model', 'PO-Number'])).toEqual({ mac: 1, model: 2, order: 3 });
  expect(columns(['MAC 地址：', 'Device'])).toEqual({ mac: 0 });
});

it('a title wins over a usual heading, and a chosen header over both', () => {
  expect(columns(['MAC address', 'MAC'])).toEqual({ mac: 1 });
  expect(columns(['MAC ID', 'MAC address'])).toEqual({ mac: 0 });
  expect(columns(['Label', 'MAC'], { label: 'mac' })).toEqual({ mac: 0 });
});
