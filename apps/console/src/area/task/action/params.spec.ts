import { expect, test } from 'vitest';
import { catalogue } from './catalogue.ts';
import { askedFields, oneFileFields } from './params.ts';

const { fields } = catalogue.find(({ key }) => key === 'configUpdate')!;
const asked = (by: string) => askedFields(fields, { by }).map(({ key }) => key);

test('a task asks for one file, for several files, or for none when templates make them', () => {
  const others = ['mode', 'whenIdle'];
  expect(asked('file')).toEqual(['by', 'configFileId', ...others]);
  for (const by of ['model', 'site', 'group']) expect(asked(by)).toEqual(['by', 'pairs', ...others]);
  expect(asked('template')).toEqual(['by', ...others]);
});

test('a dialog for some devices offers one file or what templates make', () => {
  const shown = oneFileFields(fields);
  expect(shown.map(({ key }) => key)).toEqual(['by', 'configFileId', 'mode', 'whenIdle']);
  expect(shown[0]!.options).toEqual(['file', 'template']);
  expect(askedFields(shown, { by: 'template' }).map(({ key }) => key)).toEqual(['by', 'mode', 'whenIdle']);
  const reboot = catalogue.find(({ key }) => key === 'reboot')!.fields;
  expect(oneFileFields(reboot)).toBe(reboot);
});
