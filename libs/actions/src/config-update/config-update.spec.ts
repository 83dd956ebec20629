import { describe, expect, it } from 'vitest';
import { actions, refusalOf, type ConfigFile, type DeviceAnswer, type DeviceConfig } from '../index.ts';
import { testBody } from '../test-body.ts';

const configUpdate = actions['configUpdate']!;
const [a, b] = ['01920000-0000-7000-8000-0000000000aa', '01920000-0000-7000-8000-0000000000bb'];
const file = (given: Partial<ConfigFile> = {}): ConfigFile => ({
  id: a,
  name: 'Hall',
  version: 3,
  models: [],
  whole: { fileId: '1', fileName: 'hall.cfg', size: 7, sha256: 'aa' },
  ...given,
});
const device = { model: 'X7A', firmware: null, capabilities: ['configUpdate'], doorCount: null };
const params = (given: object) => ({ mode: 'merge', whenIdle: true, ...given });
const faults = (given: object): unknown[] => {
  const read = configUpdate.params.safeParse(given);
  return read.success ? [] : read.error.issues.map(({ path }) => path.join('.'));
};

describe('a configuration update', () => {
  it('takes one file, one for each model, site or group, or templates, but no mix', () => {
    expect(configUpdate.params.parse({ configFileId: a })).toEqual(params({ by: 'file', configFileId: a }));
    const pairs = [{ of: 'X7A', configFileId: a }];
    const sites = [{ of: b, configFileId: a }];
    expect([faults({ by: 'model', pairs }), faults({ by: 'site', pairs: sites })]).toEqual([[], []]);
    expect(faults({ by: 'group', pairs: sites })).toEqual([]);
    expect(configUpdate.params.parse({ by: 'template' })).toEqual(params({ by: 'template' }));
    expect([faults({ by: 'template', pairs }), faults({ by: 'template', configFileId: a })]).toEqual([
      ['pairs'],
      ['configFileId'],
    ]);
    expect(faults({})).toEqual(['configFileId']);
    expect(faults({ by: 'file', configFileId: a, pairs })).toEqual(['pairs']);
    expect(faults({ by: 'model', pairs, configFileId: a })).toEqual(['configFileId']);
    for (const by of ['model', 'site', 'group']) expect(faults({ by, pairs: [] })).toEqual(['pairs']);
    expect(faults({ by: 'model', pairs: [...pairs, { of: 'X7A', configFileId: b }] })).toEqual(['pairs.1.of']);
    for (const by of ['site', 'group']) expect(faults({ by, pairs })).toEqual(['pairs.0.of']);
    expect(faults({ by: 'model', pairs: [{ of: 'X7A', configFileId: 'x' }] })).toEqual(['pairs.0.configFileId']);
    expect(faults({ configFileId: a, mode: 'wipe' })).toEqual(['mode']);
  });

  it('names the file of each choice, in the given order, with its path in the order', () => {
    const pairs = [
      { of: 'X7A', configFileId: a },
      { of: 'X6U', configFileId: b },
    ];
    expect(configUpdate.chooses!(params({ by: 'model', pairs }))).toEqual({
      by: 'model',
      pairs: [
        { of: 'X7A', id: a, path: 'pairs.0.configFileId' },
        { of: 'X6U', id: b, path: 'pairs.1.configFileId' },
      ],
    });
    expect(configUpdate.chooses!(params({ by: 'file', configFileId: a }))).toBeNull();
  });

  it('goes to devices that a file fits, and gives the others a reason', () => {
    const why = (by: string, file?: ConfigFile) => refusalOf(configUpdate, device, params({ by }), file);
    expect(why('file', file())).toBeNull();
    expect(why('file', file({ models: ['X7A'] }))).toBeNull();
    expect(why('site', file({ models: ['X6U'] }))).toEqual({ code: 'otherModel', values: { model: 'X7A' } });
    expect(why('model')).toEqual({ code: 'noFileForModel', values: { model: 'X7A' } });
    expect([why('site')?.code, why('group')?.code]).toEqual(['noFileForSite', 'noFileForGroup']);
  });

  it('sends a version that identifies this file and content', () => {
    const given = (version: number, id = a) => ({
      file: file({ version, id }),
      linkTo: ({ fileName }: { fileName: string }) => `http://files/${fileName}`,
    });
    const args = (file: ReturnType<typeof given>) =>
      configUpdate.toArgs(params({ by: 'file', configFileId: a }), { ...device, id: '1', mac: '0c383e000001' }, file);
    expect(configUpdate.args.parse(args(given(3)))).toEqual({
      version: '0000000000aa.3',
      url: 'http://files/hall.cfg',
      size: 7,
      sha256: 'aa',
      mode: 'merge',
      whenIdle: true,
    });
    const versions = [given(3), given(4), given(3, b)].map((file) => (args(file) as { version: string }).version);
    expect(new Set(versions).size).toBe(3);
  });

  it('is applied after the call and reports refused keys; an unreadable file changes nothing', async () => {
    const run = async (given: Parameters<typeof testBody>[0], more: object = {}) => {
      const said: DeviceAnswer[] = [];
      const steps: unknown[] = [];
      const body = testBody({
        read: ({ url }) => (steps.push(`read ${url}`), Promise.resolve({ text: 'a = 1' })),
        idle: () => (steps.push('idle'), Promise.resolve()),
        configure: (config: DeviceConfig) => (
          steps.push(config),
          Promise.resolve([{ key: 'account.9.fax', code: 'unknown' }])
        ),
        ...given,
      });
      const args = { version: 'v', url: 'u', size: 5, sha256: 'aa', mode: 'replace', whenIdle: true, ...more };
      await configUpdate.device(args, body, (answer) => (said.push(answer), Promise.resolve()));
      return { said: said.map(({ status, code }) => code ?? status), steps, data: said.at(-1)!.data };
    };
    const applied = { version: 'v', mode: 'replace', text: 'a = 1' };
    expect(await run({})).toEqual({
      said: ['accepted', 'downloaded', 'success'],
      steps: ['read u', 'idle', applied],
      data: { rejected: [{ key: 'account.9.fax', code: 'unknown' }] },
    });
    expect((await run({}, { whenIdle: false })).steps).toEqual(['read u', applied]);
    expect((await run({ configure: () => Promise.resolve(null) })).said).toEqual(['accepted', 'downloaded', 'syntax']);
    const broken = await run({ read: () => Promise.resolve({ wrong: 'checksum' as const }) });
    expect([broken.said, broken.steps]).toEqual([['accepted', 'checksum'], []]);
  });
});
