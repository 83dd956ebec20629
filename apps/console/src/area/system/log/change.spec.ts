import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTexts } from '../../../kit/text/translate.ts';
import { allTexts } from '../../../texts.ts';
import { changeLine, changeOf } from './change.ts';

beforeAll(() => {
  // Numbers are written in the language that the browser stores.
  vi.stubGlobal('localStorage', { getItem: () => '"en_US"' });
  startTexts('en', allTexts('en_US'));
});
afterAll(() => vi.unstubAllGlobals());

test("shows changed fields with both values and the screen's names, and unchanged ones by name only", () => {
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

test('shows one value for something that was added or deleted', () => {
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

test('shows each user of a bulk change by name, even when that is the name of a field', () => {
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

test('shows data as values and rights by their names', () => {
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

test('names a field as on the screen of the noun in the entry', () => {
  const detail = { before: null, after: { segments: '10.0.0.0/8' } };
  expect(changeLine(detail, 'site.add')).toBe('Networks: 10.0.0.0/8');
  expect(changeLine(detail, 'organization.add')).toBe('segments: 10.0.0.0/8');
});

test('names the settings of a configuration template, and shows their values in words', () => {
  const before = {
    name: 'Hall',
    level: 'model',
    'phone.language': 'en',
    'network.lldp': true,
    'time.server': 'a.example',
  };
  const after = { ...before, 'phone.language': 'de', 'network.lldp': false, 'screen.backlight': 45 };
  expect(changeOf({ before, after }, 'configTemplate.edit')).toEqual({
    changed: [
      { field: 'Language', before: 'English', after: 'German' },
      { field: 'LLDP', before: 'On', after: 'Off' },
      { field: 'Backlight time', before: '', after: '45 seconds' },
    ],
    unchanged: ['Name', 'Level', 'Time server'],
  });
  expect(changeOf({ before: null, after: { level: 'model' } }, 'configTemplate.add').changed).toEqual([
    { field: 'Level', before: '', after: 'One model' },
  ]);
});
