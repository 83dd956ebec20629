import { describe, expect, it } from 'vitest';
import { effectiveValues, Layers, sourcesOf, valuesOf, type Layer, type Placed } from './effective.ts';

let made = 0;
const layer = (level: Layer['level'], target: string | null, values: Layer['values']): Layer => ({
  id: String(++made).padStart(4, '0'),
  name: `${level} ${target}`,
  level,
  target,
  version: 1,
  values,
  locked: [],
});
const all: Layer[] = [
  layer('general', null, { 'network.vlan': 1, 'time.server': 'ntp.example', 'phone.language': 'en' }),
  layer('organization', 'org', { 'network.vlan': 2, 'phone.ringtone': 2 }),
  layer('site', 'campus', { 'network.vlan': 3, 'phone.ringtone': 3 }),
  layer('site', 'house', { 'network.vlan': 4, 'screen.backlight': 4 }),
  layer('series', 'X', { 'network.vlan': 9, 'phone.language': 'fr', 'screen.backlight': 9 }),
  layer('model', 'X7A', { 'network.vlan': 5, 'phone.language': 'de' }),
  layer('group', 'first', { 'network.vlan': 6, 'time.format': '12' }),
  layer('group', 'second', { 'network.vlan': 7, 'time.format': '24' }),
  layer('device', 'phone', { 'network.vlan': 8, 'network.lldp': false }),
];
const phone: Placed = {
  id: 'phone',
  orgId: 'org',
  siteIds: ['house', 'campus'],
  siteZone: null,
  series: 'X',
  model: 'X7A',
  groupIds: ['second', 'first'],
};
function valuesFor(device: Partial<Placed> = {}, layers = all) {
  const placed = { ...phone, ...device };
  return valuesOf(effectiveValues(new Layers(layers).for(placed), placed, undefined));
}
const elsewhere: Placed = { id: 'x', orgId: 'x', siteIds: [], siteZone: null, series: null, model: 'x', groupIds: [] };

const blf = (value: string) => ({ type: 'blf', line: 1, value, label: '' }) as const;

describe('the configuration of a device', () => {
  it('takes each key of the phone whole from the nearest template that has this key', () => {
    const layers = [
      layer('general', null, { 'key.side.1.1': { ...blf('201'), label: 'Hall' }, 'key.side.1.2': blf('202') }),
      layer('model', 'X7A', { 'key.side.1.1': blf('301'), 'key.dss.2.1': blf('302') }),
    ];
    expect(valuesFor({}, layers)).toEqual({
      'key.side.1.1': blf('301'),
      'key.side.1.2': blf('202'),
      'key.dss.2.1': blf('302'),
    });
    const locked = [{ ...layers[0]!, locked: ['key.side.1.1' as const] }, layers[1]!];
    expect(valuesFor({}, locked)['key.side.1.1']).toEqual({ ...blf('201'), label: 'Hall' });
  });

  it('has the time zone of its site where a template says so, and the next template decides without one', () => {
    const layers = [
      layer('general', null, { 'time.zone': 'Asia/Seoul' }),
      layer('model', 'X7A', { 'time.zone': 'site' }),
    ];
    expect(valuesFor({ siteZone: 'Europe/Lisbon' }, layers)).toEqual({ 'time.zone': 'Europe/Lisbon' });
    expect(valuesFor({}, layers)).toEqual({ 'time.zone': 'Asia/Seoul' });
    expect(valuesFor({}, layers.slice(1))).toEqual({});
  });

  it('takes each value from the nearest of seven levels of templates', () => {
    const expected = {
      'network.vlan': 8,
      'network.lldp': false,
      'time.format': '12',
      'phone.language': 'de',
      'screen.backlight': 9,
      'phone.ringtone': 3,
      'time.server': 'ntp.example',
    };
    expect(valuesFor()).toEqual(expected);
    expect(valuesFor({}, all.toReversed())).toEqual(expected);
  });

  it.each([
    [{ id: 'x' }, 6],
    [{ id: 'x', groupIds: ['second'] }, 7],
    [{ id: 'x', groupIds: [] }, 5],
    [{ id: 'x', groupIds: [], model: 'x' }, 9],
    [{ id: 'x', groupIds: [], model: 'x', series: null }, 4],
    [{ id: 'x', groupIds: [], model: 'x', series: 'other', siteIds: ['campus'] }, 3],
    [{ id: 'x', groupIds: [], model: 'x', series: null, siteIds: [] }, 2],
    [elsewhere, 1],
  ] as const)('without the nearer templates %j it takes the next one', (device, vlan) => {
    expect(valuesFor(device)['network.vlan']).toBe(vlan);
  });

  it('is empty when no template is for the device', () => {
    expect(new Layers(all.slice(1)).for(elsewhere)).toEqual([]);
  });

  it('names the template of each value and the values that it overrides', () => {
    const [value] = effectiveValues(new Layers(all).for(phone), phone, undefined).filter(
      ({ key }) => key === 'phone.language',
    );
    expect(value).toEqual({
      key: 'phone.language',
      value: 'de',
      layer: all[5],
      overridden: [
        { value: 'fr', layer: all[4] },
        { value: 'en', layer: all[0] },
      ],
    });
  });

  describe('with locks', () => {
    const general = { ...all[0]!, locked: ['network.vlan'] as const };
    const above = (vlan: number): Layer => ({
      ...layer('general', null, { 'network.vlan': vlan }),
      locked: ['network.vlan'],
      company: 'Reseller',
    });
    const vlanOf = (layers: Layers) =>
      effectiveValues(layers.for(phone), phone, undefined).find(({ key }) => key === 'network.vlan')!;

    it('takes a locked value before that of every nearer template, and leaves the others as they are', () => {
      const locked = [general, ...all.slice(1)];
      expect(valuesFor({}, locked)).toEqual({ ...valuesFor(), 'network.vlan': 1 });
      const vlan = vlanOf(new Layers(locked));
      expect([vlan.layer.id, vlan.overridden.map(({ value }) => value)]).toEqual([
        general.id,
        [8, 6, 7, 5, 9, 4, 3, 2],
      ]);
      expect(new Layers(locked).locks()).toEqual(new Map([['network.vlan', { company: null }]]));
    });

    it('takes the value of a company above before the own lock, and names the company', () => {
      const layers = new Layers([general, ...all.slice(1)], [above(90)]);
      const vlan = vlanOf(layers);
      expect([vlan.value, vlan.layer.company, vlan.overridden[0]!.value]).toEqual([90, 'Reseller', 1]);
      expect(layers.locks()).toEqual(new Map([['network.vlan', { company: 'Reseller' }]]));
    });

    it('keeps no lock of a setting that the template does not contain', () => {
      const layers = new Layers([{ ...general, locked: ['phone.ringtone'] }]);
      expect(layers.locks()).toEqual(new Map());
    });

    it('names a template once that decides both a locked and an open setting', () => {
      const layers = new Layers([general], [above(90)]);
      expect(sourcesOf(effectiveValues(layers.for(elsewhere), elsewhere, undefined))).toEqual([
        { id: general.id, name: general.name, version: 1, keys: ['phone.language', 'time.server'] },
      ]);
      const own = new Layers([general]);
      expect(sourcesOf(effectiveValues(own.for(elsewhere), elsewhere, undefined))).toMatchObject([
        { keys: ['phone.language', 'time.server', 'network.vlan'] },
      ]);
    });
  });
});
