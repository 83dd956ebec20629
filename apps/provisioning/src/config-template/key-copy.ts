import {
  isSameValue,
  phoneKeyNames,
  phoneKeyOf,
  phoneKeyPlace,
  phoneKeysMost,
  takesPhoneKey,
  templateKeys,
  type previewKeyCopy,
  type RouteInput,
  type RouteReturn,
  type SettingValues,
} from '@carillon/contracts';
import { currentEntities } from '@carillon/persistence';
import { fail, found } from '@carillon/service';
import { desiredKeys } from '../device-config/desired.ts';
import { layoutOfTarget } from '../device-model/key-layout.ts';
import { leftOutBy } from '../vendor/vendor.ts';
import { vendorOf, vendors } from '../vendor/vendor-of.ts';
import { ConfigTemplate } from './config-template.entity.ts';
import { seeAll } from './config-template.service.ts';

type Copy = RouteReturn<typeof previewKeyCopy>;

/** Returns what the template of another model or series would contain with the keys of this one. */
export async function keyCopyOf({ params, query }: RouteInput<typeof previewKeyCopy>): Promise<Copy> {
  seeAll();
  const { values } = found(await currentEntities().findOne(ConfigTemplate, { id: params.id }));
  const other = await currentEntities().findOne(ConfigTemplate, { level: query.level, target: query.target });
  const layout = await layoutOfTarget(query);
  const vendor =
    query.level === 'model'
      ? vendorOf({ model: query.target, mac: '' })
      : vendors.find(({ series }) => series.includes(query.target));
  const keys = phoneKeyNames(values);
  const placed = keys.filter((key) => takesPhoneKey(layout, phoneKeyPlace(key), phoneKeyOf(values, key)!));
  const fitting: SettingValues = Object.fromEntries(placed.map((key) => [key, values[key]!]));
  const unnamed = new Set(vendor ? leftOutBy(vendor, {}, desiredKeys(fitting, layout)) : []);
  const carried = placed.filter((key) => !unnamed.has(key));
  const stored = other?.values ?? {};
  const before: SettingValues = Object.fromEntries(templateKeys(stored).map((key) => [key, stored[key]!]));
  const after: SettingValues = { ...before, ...Object.fromEntries(carried.map((key) => [key, values[key]!])) };
  if (phoneKeyNames(after).length > phoneKeysMost) fail('configTemplate.keysMany');
  return {
    template: other && { id: other.id, name: other.name, description: other.description, version: other.version },
    values: after,
    carried,
    replaced: carried.filter((key) => before[key] !== undefined && !isSameValue(before[key], values[key])),
    left: keys
      .filter((key) => !carried.includes(key))
      .map((key) => ({ key, reason: unnamed.has(key) ? 'maker' : 'place' })),
  };
}
