import { describe, expect, it } from 'vitest';
import { effectiveValues, linkText, valuesOf, type Layer } from './effective.ts';

const layer = (level: Layer['level'], model: string | null, values: Layer['values']): Layer => ({
  id: `${level} ${model}`,
  name: `${level} ${model}`,
  level,
  model,
  values,
});
const general = layer('general', null, { 'time.server': 'ntp.example', 'phone.language': 'en' });
const x7a = layer('model', 'X7A', { 'phone.language': 'de', 'network.lldp': false });
const x6u = layer('model', 'X6U', { 'phone.language': 'fr' });

describe('the configuration of a device', () => {
  it('takes each value from the template of its model before the general one, whatever their order', () => {
    const expected = { 'phone.language': 'de', 'time.server': 'ntp.example', 'network.lldp': false };
    expect(valuesOf(effectiveValues([general, x7a, x6u], 'X7A'))).toEqual(expected);
    expect(valuesOf(effectiveValues([x6u, x7a, general], 'X7A'))).toEqual(expected);
    expect(valuesOf(effectiveValues([general, x7a], 'V64'))).toEqual(general.values);
    expect(effectiveValues([x7a], 'V64')).toEqual([]);
  });

  it('names the template of each value and the values that it overrides', () => {
    expect(effectiveValues([general, x7a], 'X7A').find(({ key }) => key === 'phone.language')).toEqual({
      key: 'phone.language',
      value: 'de',
      layer: x7a,
      overridden: [{ value: 'en', layer: general }],
    });
  });

  it('is written as one line for each setting, in one order, so that equal configurations are equal texts', () => {
    const values = valuesOf(effectiveValues([general, x7a], 'X7A'));
    expect(linkText(values)).toBe('phone.language = de\ntime.server = ntp.example\nnetwork.lldp = 0\n');
    expect(linkText(Object.fromEntries(Object.entries(values).reverse()))).toBe(linkText(values));
    expect(linkText({})).toBe('');
  });

  it('has no second setting in the line of another', () => {
    const text = linkText({ 'time.server': 'a\r\nnetwork.vlan = 7\n\0' });
    expect(text.split('\n').filter((line) => line !== '')).toHaveLength(1);
  });
});
