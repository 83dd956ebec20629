import { expect, test } from 'vitest';
import { getDevice, listDevices, previewTask } from '@carillon/contracts';
import { fromUnknown } from './error.filter.ts';

const timeout = Object.assign(new Error('canceling statement due to statement timeout'), {
  code: '57014',
  severity: 'ERROR',
});

test('a list that takes too long is the fault of its filters, and any other statement is repeated later', () => {
  expect(fromUnknown(timeout, listDevices).key).toBe('common.tooWide');
  expect([getDevice, previewTask, undefined].map((route) => fromUnknown(timeout, route).key)).toEqual(
    Array(3).fill('common.unavailable'),
  );
});
