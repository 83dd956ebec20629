import { expect, test } from 'vitest';
import { devicesOf } from './template-target.tsx';

const sites = [
  { id: 'harbor', path: ['Harbor'] },
  { id: 'floor', path: ['Harbor', 'Floor 1'] },
  { id: 'bar', path: ['Harbor', 'Floor 1', 'Bar'] },
  { id: 'hill', path: ['Harbor Hill'] },
];

test('a template of a site is for the sites below it, and every other one for its own devices', () => {
  expect(devicesOf({ level: 'site', target: 'harbor', models: null }, sites)).toEqual({
    filter: { site: ['harbor', 'floor', 'bar'] },
  });
  expect(devicesOf({ level: 'site', target: 'bar', models: null }, sites)).toEqual({ filter: { site: ['bar'] } });
  expect(devicesOf({ level: 'site', target: 'gone', models: null }, sites)).toEqual({ filter: { site: ['gone'] } });
  expect(devicesOf({ level: 'general', target: null, models: null }, sites)).toEqual({ filter: {} });
  expect(devicesOf({ level: 'model', target: 'X7A', models: null }, sites)).toEqual({ filter: { model: ['X7A'] } });
  expect(devicesOf({ level: 'device', target: 'd', models: null }, sites)).toEqual({ ids: ['d'] });
  const models = ['X5U', 'X7A'];
  expect(devicesOf({ level: 'series', target: 'Fanvil X', models }, sites)).toEqual({ filter: { model: models } });
  expect(devicesOf({ level: 'series', target: 'Gone', models: [] }, sites)).toEqual({
    filter: { model: ['Gone'] },
  });
});
