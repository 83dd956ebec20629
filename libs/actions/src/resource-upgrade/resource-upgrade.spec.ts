import { describe, expect, it } from 'vitest';
import { actions, refusalOf, type DeviceAnswer, type ResourceFile } from '../index.ts';
import { testBody } from '../test-body.ts';

const { resourceUpgrade } = actions;
const part = (name: string) => ({ fileId: name, fileName: `${name}.wav`, size: 7, sha256: 'aa' });
const file: ResourceFile = { id: 'r', name: 'Bells', type: 'ringtone', files: [part('one'), part('two')] };
const args = {
  kind: 'ringtone',
  name: 'Bells',
  files: [
    { name: 'one.wav', url: 'http://files/one.wav', size: 7, sha256: 'aa' },
    { name: 'two.wav', url: 'http://files/two.wav', size: 7, sha256: 'aa' },
  ],
};

describe('a resource upgrade', () => {
  it('names all files of the resource in one command, each with its own link', () => {
    const given = { file, linkTo: ({ fileName }: { fileName: string }) => `http://files/${fileName}` };
    const device = {
      id: '1',
      mac: '0c383e000001',
      model: 'X7A',
      firmware: null,
      capabilities: ['resourceUpgrade'],
      doorCount: null,
    };
    expect(resourceUpgrade!.toArgs({ resourceFileId: 'r' }, device, given)).toEqual(args);
    expect(resourceUpgrade!.args.parse(args)).toEqual(args);
  });

  it('goes to a capable device of any model and firmware, and gives the others a reason', () => {
    const device = { model: 'X7A', firmware: null, capabilities: ['resourceUpgrade'], doorCount: null };
    expect(refusalOf(resourceUpgrade!, device, { resourceFileId: 'r' }, file)).toBeNull();
    const other = { ...device, capabilities: ['reboot'] };
    expect(refusalOf(resourceUpgrade!, other, { resourceFileId: 'r' }, file)?.code).toBe('unsupported');
  });

  it('goes to a phone over HTTP whose maker has a setting for its only file [EDGE-08/resource]', () => {
    const capabilities = ['channel.http', 'resourceUpgrade', 'channel.http.ringtone'];
    const device = { model: 'SIP-T46U', firmware: null, capabilities, doorCount: null };
    const why = (given: Partial<ResourceFile>) =>
      refusalOf(resourceUpgrade!, device, { resourceFileId: 'r' }, { ...file, ...given })?.code ?? null;
    expect(why({ files: [part('one')] })).toBeNull();
    expect(why({})).toBe('oneFileOverHttp');
    expect(why({ type: 'image', files: [part('one')] })).toBe('kindOverHttp');
  });

  it("replaces the device's resource only when all of it is loaded and checked", async () => {
    const run = async (wrong: 'download' | 'checksum' | 'space' | null) => {
      const said: DeviceAnswer[] = [];
      const steps: string[] = [];
      const body = testBody({
        loadAll: ({ files }) => {
          steps.push(`load ${files.map(({ url }) => url).join(' ')}`);
          return Promise.resolve(wrong);
        },
        keep: ({ kind, name }) => {
          steps.push(`keep ${kind} ${name}`);
          return Promise.resolve();
        },
        restart: () => steps.push('restart'),
      });
      await resourceUpgrade!.device(args, body, (answer) => {
        said.push(answer);
        return Promise.resolve();
      });
      return [said.map(({ status, code }) => code ?? status), steps];
    };
    const load = 'load http://files/one.wav http://files/two.wav';
    expect(await run(null)).toEqual([
      ['accepted', 'downloaded', 'success'],
      [load, 'keep ringtone Bells'],
    ]);
    for (const wrong of ['download', 'checksum', 'space'] as const)
      expect(await run(wrong)).toEqual([['accepted', wrong], [load]]);
  });
});
