import { expect, it } from 'vitest';
import { desired } from '../testing/vendor-sample.ts';
import { capabilitiesOf } from './capability.ts';
import { settingFor, type FileKind } from './file-setting.ts';
import { renderFile, type Vendor } from './vendor.ts';
import { vendors } from './vendor-of.ts';

const url = `https://c.example/f/${'t'.repeat(146)}/image%20a&b.bin`;
const folder = 'http://p.example:8081/c/token/';
const mac = '805ec0000001';
const file = (kind: FileKind, at = url) => ({ kind, url: at, version: null });

/** Returns the lines that a file has more with something to load. */
function added(vendor: Vendor, kind: FileKind): string[] {
  const settings = settingFor(vendor.loads, file(kind))!.settings(new URL(url), { folder, mac });
  const before = new Set(renderFile(vendor, desired({}), 1, folder).split('\n'));
  return renderFile(vendor, desired({}), 1, folder, settings)
    .split('\n')
    .filter((line) => !before.has(line))
    .map((line) => line.trim());
}

const escaped = url.replace('&', '&amp;');
const at = (slash: string) => `${slash}/f/${'t'.repeat(146)}`;

it.each([
  [
    'Fanvil',
    ['<AUTOUPDATE_CONFIG_MODULE>', `<Auto_Image_URL>${escaped}</Auto_Image_URL>`, '</AUTOUPDATE_CONFIG_MODULE>'],
  ],
  ['Yealink', [`static.firmware.url = ${url}`]],
  ['Grandstream', [`<P192>${at('c.example')}</P192>`, '<P238>0</P238>', '<P6767>2</P6767>']],
  [
    'Snom',
    [
      `<firmware_status perm="">${folder}${mac}-firmware.xml</firmware_status>`,
      '<update_policy perm="">auto_update</update_policy>',
    ],
  ],
  ['Poly', []],
  ['Htek', [`<P192>${at('https://c.example')}</P192>`, '<P238>0</P238>']],
] as const)('the file of a %s phone names an image in its maker’s setting', (name, lines) => {
  expect(
    added(
      vendors.find((vendor) => vendor.name === name)!,
      'firmware',
    ),
  ).toEqual(lines);
});

it.each([
  ['ringtone', 'ringtone.url'],
  ['image', 'wallpaper_upload.url'],
  ['languagePack', 'gui_lang.url'],
] as const)('the file of a Yealink phone names a resource of the kind %s', (kind, name) => {
  expect(
    added(
      vendors.find((vendor) => vendor.name === 'Yealink')!,
      kind,
    ),
  ).toEqual([`${name} = ${url}`]);
});

it('Snom and Poly phones find the address of an image in a file of its own', () => {
  const beside = (name: string) => vendors.find((vendor) => vendor.name === name)!.loads.firmware!.beside!;
  expect([beside('Snom').nameOf(mac), beside('Snom').textOf(url)]).toEqual([
    `${mac}-firmware.xml`,
    `<?xml version="1.0" encoding="utf-8"?>
<firmware-settings>
  <firmware perm="">${escaped}</firmware>
</firmware-settings>
`,
  ]);
  expect([beside('Poly').nameOf(mac), beside('Poly').textOf(url)]).toEqual([
    `${mac}.cfg`,
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<APPLICATION APP_FILE_PATH="${escaped}" CONFIG_FILES="[PHONE_MAC_ADDRESS]-config.cfg"/>
`,
  ]);
});

it('a maker’s phones are told nothing that its documents do not show, and no address that is too long', () => {
  const named = (kind: FileKind, address = url) =>
    vendors.filter((vendor) => settingFor(vendor.loads, file(kind, address))).map(({ name }) => name);
  const loading = ['Fanvil', 'Yealink', 'Grandstream', 'Snom', 'Poly', 'Htek'];
  expect(named('firmware')).toEqual(loading);
  expect(named('firmware', url.padEnd(256, 'a'))).toEqual(loading.filter((name) => name !== 'Poly'));
  expect(named('firmware', url.padEnd(512, 'a'))).not.toContain('Yealink');
  expect(named('ringtone')).toEqual(['Yealink']);
  const able = (action: string) =>
    vendors.filter((one) => capabilitiesOf(one).includes(action)).map(({ name }) => name);
  expect(able('firmwareUpgrade')).toEqual(loading);
  expect(able('resourceUpgrade')).toEqual(['Yealink']);
});
