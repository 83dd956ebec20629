import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { languages, permissionKeys, type Text } from '@carillon/contracts';
import { actions, refusalOf, reasonText, type ActionFiles } from './index.ts';

const device = { model: 'X7A', firmware: '2.12.4.8', capabilities: Object.keys(actions), doorCount: 2 };
const part = { fileId: '1', fileName: 'example.bin', size: 1, sha256: 'aa' };
const exampleFiles: ActionFiles = {
  firmware: {
    id: '1',
    name: 'Example',
    version: '9.0',
    models: ['X7A'],
    least: null,
    whole: { ...part, signature: 's' },
    deltas: [],
    signedBy: 'k',
    endorsements: [],
  },
  resourceFile: { id: '1', name: 'Example', type: 'ringtone', files: [part] },
  configFile: { id: '1', name: 'Example', version: 1, models: [], whole: part },
};
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!).sort();

describe.each(Object.values(actions).map((action) => [action.key, action] as const))('the action %s', (_, action) => {
  it('has all its texts in four languages, with the same placeholders', () => {
    const { name, effect, right, params, refusals } = action.texts;
    const choices = Object.values(action.texts.choices ?? {}).flatMap((texts) => Object.values(texts ?? {}));
    const texts: Text[] = [name, effect, right, ...Object.values(params), ...choices, ...Object.values(refusals)];
    for (const text of texts)
      for (const language of languages) {
        expect(text[language].trim()).not.toBe('');
        expect(placeholders(text[language])).toEqual(placeholders(text.en_US));
      }
  });

  it('has texts in four languages for each value of a choice', () => {
    const { properties = {} } = action.params.toJSONSchema({ io: 'input' }) as {
      properties?: Record<string, { enum?: string[] }>;
    };
    const asked = Object.entries(properties).flatMap(([param, { enum: values }]) => (values ? [[param, values]] : []));
    const { choices = {} } = action.texts;
    expect(Object.entries(choices).map(([param, words]) => [param, Object.keys(words!)])).toEqual(asked);
    for (const words of Object.values(choices))
      for (const text of Object.values(words!)) for (const language of languages) expect(text[language]).not.toBe('');
  });

  it('names each of its parameters, and sends its example as the device link defines it', () => {
    const { properties = {} } = action.params.toJSONSchema({ io: 'input' });
    expect(Object.keys(action.texts.params).sort()).toEqual(Object.keys(properties).sort());
    const params = action.params.parse(action.example);
    const given = action.file && { file: exampleFiles[action.file], linkTo: () => 'http://files/example.bin' };
    const args = action.toArgs(params, { ...device, id: '1', mac: '0c383e000001' }, given);
    expect(action.args.safeParse(args).success).toBe(true);
  });

  it('requires a permission that roles can grant', () => {
    expect(permissionKeys).toContain(action.right);
  });

  it('is refused for a device that has not reported capabilities, and for one that does not name it', () => {
    expect(refusalOf(action, { ...device, capabilities: [] })).toEqual({ code: 'capabilityUnknown', values: {} });
    expect(refusalOf(action, { ...device, capabilities: ['levitate'] })).toEqual({
      code: 'unsupported',
      values: { model: 'X7A' },
    });
  });
});

it("a reason is shown in the reader's language with its values, and an unknown code has none", () => {
  expect(languages.map((language) => reasonText('reboot', 'unsupported', { model: 'X7A' }, language))).toEqual([
    'The X7A cannot do this',
    'X7A 不支持此操作',
    'X7A에서 지원하지 않음',
    'O X7A não oferece isto',
  ]);
  expect(reasonText('reboot', 'jammed', {}, 'en_US')).toBeNull();
  expect(reasonText('constructor', 'toString', {}, 'en_US')).toBeNull();
});

it('a simulated device knows every action without the schema library', async () => {
  const bundle = await rolldown({
    input: resolve(import.meta.dirname, 'device.ts'),
    platform: 'node',
    resolve: { conditionNames: ['carillon-source'] },
  });
  const { output } = await bundle.generate({ format: 'esm' });
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  // The files of capabilities and of versions import nothing.
  const own = [
    '/libs/actions/src/',
    '/libs/contracts/src/device/version.ts',
    '/libs/contracts/src/device/capability.ts',
  ];
  expect(modules.filter((id) => id.startsWith('/') && !own.some((part) => id.includes(part)))).toEqual([]);
});
