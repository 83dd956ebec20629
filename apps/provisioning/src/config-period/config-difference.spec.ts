import { describe, expect, it } from 'vitest';
import { phoneKeyLayout } from '@carillon/contracts';
import type { DesiredLine } from '../device-config/desired.ts';
import { fitsLayout, type Layer } from '../device-config/effective.ts';
import { lineDifferences, restoringValues, settingDifferences } from './config-difference.ts';

const line = (number: number, more: Partial<DesiredLine> = {}): DesiredLine => ({
  line: number,
  label: 'Ann',
  display: 'Ann',
  user: '201',
  auth: '',
  password: 'wallaby-93',
  server: 'pbx.example',
  port: 5060,
  transport: 'udp',
  domain: '',
  proxy: null,
  backup: null,
  voicemail: '',
  ...more,
});
const ann = { label: 'Ann', user: '201', server: 'pbx.example' };
const layer = (level: Layer['level'], values: Layer['values']): Layer => ({
  id: level,
  name: level,
  level,
  target: null,
  version: 1,
  values,
  locked: [],
});

describe('what differs between two configurations', () => {
  it('has the settings that changed, came or went', () => {
    expect(
      settingDifferences({ 'network.vlan': 7, 'time.server': 'a' }, { 'network.vlan': 8, 'time.server': 'a' }),
    ).toEqual([{ key: 'network.vlan', before: 7, after: 8 }]);
    expect(settingDifferences({ 'network.vlan': 7 }, { 'phone.ringtone': 2 })).toEqual([
      { key: 'phone.ringtone', before: null, after: 2 },
      { key: 'network.vlan', before: 7, after: null },
    ]);
  });

  it('names a changed password and never contains it', () => {
    const found = lineDifferences([line(1)], [line(1, { password: 'quokka-17' })]);
    expect(found).toEqual([{ line: 1, before: ann, after: ann, fields: ['password'] }]);
    expect(JSON.stringify(found)).not.toMatch(/wallaby|quokka/);
  });

  it('has lines that came or went', () => {
    const [went, came] = lineDifferences([line(1), line(2)], [line(2), line(3)]);
    expect([went!.line, went!.before, went!.after]).toEqual([1, ann, null]);
    expect([came!.line, came!.before, came!.after]).toEqual([3, null, ann]);
  });
});

describe('the template that restores a former configuration', () => {
  const general = layer('general', { 'network.vlan': 8, 'phone.ringtone': 2 });

  it('takes the values that other templates do not give, and names those that remain', () => {
    expect(restoringValues({ 'network.vlan': 7 }, [general], { siteZone: null }, undefined)).toEqual({
      values: { 'network.vlan': 7 },
      remaining: ['phone.ringtone'],
    });
  });

  it('keeps what the own template says as it was then, and drops the rest', () => {
    const own = layer('device', { 'network.vlan': 8, 'time.format': '12' });
    expect(
      restoringValues({ 'network.vlan': 8, 'phone.ringtone': 3 }, [own, general], { siteZone: null }, undefined),
    ).toEqual({
      values: { 'network.vlan': 8, 'phone.ringtone': 3 },
      remaining: [],
    });
  });

  it('is none when nothing would change', () => {
    expect(
      restoringValues({ 'network.vlan': 8, 'phone.ringtone': 2 }, [general], { siteZone: null }, undefined).values,
    ).toBeNull();
    const own = layer('device', { 'network.vlan': 7 });
    expect(
      restoringValues({ 'network.vlan': 7, 'phone.ringtone': 2 }, [own, general], { siteZone: null }, undefined).values,
    ).toBeNull();
  });

  it('is never without a setting', () => {
    const own = layer('device', { 'network.vlan': 7 });
    expect(
      restoringValues({ 'network.vlan': 8, 'phone.ringtone': 2 }, [own, general], { siteZone: null }, undefined).values,
    ).toEqual({
      'network.vlan': 8,
      'phone.ringtone': 2,
    });
    expect(restoringValues({}, [own, general], { siteZone: null }, undefined)).toEqual({
      values: null,
      remaining: ['phone.ringtone', 'network.vlan'],
    });
  });

  it('names nothing that the phone does not have', () => {
    const layout = { ...phoneKeyLayout(null), hiddenItems: ['video'] };
    const { remaining } = restoringValues(
      {},
      [layer('general', { 'phone.video': true, 'network.vlan': 8 })],
      { siteZone: null },
      undefined,
      (one) => fitsLayout(layout, one),
    );
    expect(remaining).toEqual(['network.vlan']);
  });
});

it('a locked setting cannot be restored by the template of a device, and remains when it differs', () => {
  const lock: Layer = { ...layer('general', { 'network.vlan': 9 }), locked: ['network.vlan'] };
  expect(restoringValues({ 'network.vlan': 1, 'phone.language': 'de' }, [lock], { siteZone: null }, undefined)).toEqual(
    {
      values: { 'phone.language': 'de' },
      remaining: ['network.vlan'],
    },
  );
  expect(restoringValues({ 'network.vlan': 1 }, [lock], { siteZone: null }, undefined)).toEqual({
    values: null,
    remaining: ['network.vlan'],
  });
  expect(restoringValues({ 'network.vlan': 9 }, [lock], { siteZone: null }, undefined)).toEqual({
    values: null,
    remaining: [],
  });
});

describe('the template of a device that takes the time zone of its site', () => {
  const own = layer('device', { 'time.zone': 'site', 'network.vlan': 8 });
  const former = { 'time.zone': 'Asia/Seoul', 'network.vlan': 7 };

  it('still takes it after a former configuration with the same zone is restored', () => {
    const seoul = { siteZone: 'Asia/Seoul' };
    expect(restoringValues(former, [own], seoul, undefined)).toEqual({
      values: { 'time.zone': 'site', 'network.vlan': 7 },
      remaining: [],
    });
    expect(restoringValues({ ...former, 'network.vlan': 8 }, [own], seoul, undefined).values).toBeNull();
  });

  it('gets the former zone when the site has another one, or none', () => {
    for (const siteZone of ['Europe/Lisbon', null])
      expect(restoringValues(former, [own], { siteZone }, undefined).values).toEqual(former);
    expect(restoringValues({ 'network.vlan': 8 }, [own], { siteZone: null }, undefined)).toEqual({
      values: null,
      remaining: [],
    });
  });
});
