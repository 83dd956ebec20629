import { beforeAll, expect, test } from 'vitest';
import { startTexts } from '../../../kit/text/translate.ts';
import { allTexts } from '../../../texts.ts';
import { changeLine, changeOf } from './change.ts';

beforeAll(() => startTexts('en', allTexts('en_US')));

test('what changed is told with both sides under the names of the screen, and what did not by its name alone', () => {
  expect(
    changeOf({
      before: { nickname: 'Ana', status: 'normal', allOrgs: true, roles: ['Support'], erpId: null },
      after: { nickname: 'Anna', status: 'disabled', allOrgs: false, roles: ['Support', 'Sales'], erpId: null },
    }),
  ).toEqual({
    changed: [
      { field: 'Display name', before: 'Ana', after: 'Anna' },
      { field: 'Status', before: 'Normal', after: 'Disabled' },
      { field: 'All organizations', before: 'Yes', after: 'No' },
      { field: 'Roles', before: 'Support', after: 'Support, Sales' },
    ],
    unchanged: ['ERP ID'],
  });
});

test('of something new or gone there is one side', () => {
  expect(
    changeOf({ before: null, after: { name: 'North', description: '', meta: { keepAlive: true, roles: null } } })
      .changed,
  ).toEqual([
    { field: 'Name', before: '', after: 'North' },
    { field: 'Description', before: '', after: '–' },
    { field: 'Display', before: '', after: 'Keep state: Yes; Roles: –' },
  ]);
  expect(changeOf({ before: { name: 'North' }, after: null }).changed).toEqual([
    { field: 'Name', before: 'North', after: '' },
  ]);
});

test('who was changed together stands there by his own name, also when that is the name of a field', () => {
  expect(
    changeOf({
      ids: ['1', '2'],
      before: { name: 'normal', ben: 'normal' },
      after: { name: 'disabled', ben: 'disabled' },
    }),
  ).toEqual({
    changed: [
      { field: 'name', before: 'Normal', after: 'Disabled' },
      { field: 'ben', before: 'Normal', after: 'Disabled' },
    ],
    unchanged: [],
  });
});

test('what is no field is a value, rights are told by their names, and the rest by what it is', () => {
  expect(changeLine({ number: 7, before: 'process' })).toBe('Value: Running; Number: 7');
  expect(changeLine({ before: ['Support', 'Sales'] })).toBe('Value: Support, Sales');
  expect(
    changeLine({ before: { permissions: ['addDevice'] }, after: { permissions: ['addDevice', 'device', 'gone'] } }),
  ).toBe('Permissions: Add devices → Add devices, Devices, gone');
  expect(changeLine({ devices: [{ id: '1', mac: '0c383e000001', name: 'Desk' }], count: 1 })).toBe(
    'Devices: Desk; Count: 1',
  );
  expect(changeLine({})).toBe('');
});

test('a field is called as on the screen of the noun that the entry is about', () => {
  const detail = { before: null, after: { segments: '10.0.0.0/8' } };
  expect(changeLine(detail, 'site.add')).toBe('Networks: 10.0.0.0/8');
  expect(changeLine(detail, 'organization.add')).toBe('segments: 10.0.0.0/8');
});
