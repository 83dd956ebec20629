import { describe, expect, it } from 'vitest';
import { actions, refusalOf, type Firmware } from '../index.ts';
import { testBody } from '../test-body.ts';

const { firmwareUpgrade } = actions;
const part = (name: string) => ({ fileId: name, fileName: `${name}.bin`, size: 7, sha256: 'aa', signature: 'sig' });
const file: Firmware = {
  id: 'f',
  name: 'Desk',
  version: '2.4.10',
  models: ['X7A'],
  least: '2.0',
  whole: part('whole'),
  deltas: [
    { from: '2.4.9', ...part('delta') },
    { from: '2.4.8', format: 'zstd-windows', ...part('made') },
  ],
  signedBy: 'key',
  endorsements: [],
};
const device = (firmware: string | null, model = 'X7A') => ({
  model,
  firmware,
  capabilities: ['firmwareUpgrade'],
  doorCount: 0,
});
const params = { firmwareId: 'f', differential: true, downgrade: false, whenIdle: true };
const why = (firmware: string | null, more: object = {}, model?: string) =>
  refusalOf(firmwareUpgrade!, device(firmware, model), { ...params, ...more }, file)?.code ?? null;

describe('a firmware upgrade', () => {
  it('goes to devices of its models with an older version, and gives the others a reason', () => {
    expect(why('2.4.9')).toBeNull();
    expect(why('2.4.9', {}, 'X6U')).toBe('otherModel');
    expect(why('2.4.10')).toBe('sameVersion');
    expect(why('2.4.10.0')).toBe('sameVersion');
    expect(why('2.5')).toBe('newerVersion');
    expect(why('2.5', { downgrade: true })).toBeNull();
    expect(why('1.9')).toBe('tooOld');
    expect(why(null)).toBe('incomparable');
    expect(why('2.4-rc1')).toBe('incomparable');
    expect(why('2.4-rc1', { downgrade: true })).toBe('incomparable');
  });

  it('that is damaged goes to no device', () => {
    const upgraded = { ...file, damaged: true };
    expect(refusalOf(firmwareUpgrade!, device('2.4.9'), params, upgraded)?.code).toBe('damaged');
    expect(refusalOf(firmwareUpgrade!, device('2.4-broken'), params, upgraded, true)?.code).toBe('damaged');
  });

  it('that restores a version goes to devices whose version cannot be compared', () => {
    const restores = (firmware: string | null, model?: string) =>
      refusalOf(firmwareUpgrade!, device(firmware, model), { ...params, downgrade: true }, file, true)?.code ?? null;
    expect(restores('2.4-broken')).toBeNull();
    expect(restores(null)).toBeNull();
    expect(restores('2.4-broken', 'X6U')).toBe('otherModel');
    expect(restores('2.4.10.0')).toBe('sameVersion');
  });

  it('sends a differential package only to devices of its version, and only when allowed', () => {
    const given = { file, linkTo: ({ fileName }: { fileName: string }) => `http://files/${fileName}` };
    const args = (firmware: string, more: object = {}, capabilities = ['firmwareUpgrade']) =>
      firmwareUpgrade!.args.parse(
        firmwareUpgrade!.toArgs(
          { ...params, ...more },
          { ...device(firmware), capabilities, id: '1', mac: '0c383e000001' },
          given,
        ),
      ) as { url: string; delta?: { format: string; url: string; from: string } };
    expect(args('2.4.9')).toMatchObject({
      url: 'http://files/whole.bin',
      version: '2.4.10',
      delta: { format: 'maker', url: 'http://files/delta.bin', from: '2.4.9' },
    });
    expect(args('2.4.7').delta).toBeUndefined();
    expect(args('2.4.9', { differential: false }).delta).toBeUndefined();
    // A package of the platform requires the capability.
    expect(args('2.4.8').delta).toBeUndefined();
    expect(args('2.4.8', {}, ['firmwareUpgrade', 'delta.other']).delta).toBeUndefined();
    expect(args('2.4.8', {}, ['firmwareUpgrade', 'delta.zstd-windows']).delta).toMatchObject({
      format: 'zstd-windows',
      url: 'http://files/made.bin',
      from: '2.4.8',
    });
  });

  it('succeeds when the device comes back with the version, not when it only reports success', () => {
    const back = (firmware: string, boot: string, said = false) =>
      firmwareUpgrade!.backWith!({ firmware, boot }, said, file);
    expect(back('2.4.10', 'power')).toBe(true);
    expect(back('2.4.9', 'upgrade')).toBe('otherVersion');
    expect(back('2.4.9', 'power')).toBeUndefined();
    expect(back('2.4.9', 'power', true)).toBe('otherVersion');
  });

  it('is loaded, installed and started by the device, with a delta when it fits its version', async () => {
    const run = async (given: Parameters<typeof testBody>[0]) => {
      const said: string[] = [];
      const args = {
        url: 'whole',
        size: 7,
        sha256: 'aa',
        signature: 's',
        signedBy: 'k',
        version: '2.4.10',
        delta: { format: 'maker', from: '2.4.9', url: 'delta', size: 3, sha256: 'bb', signature: 's', signedBy: 'k' },
      };
      const body = testBody({
        load: async ({ url }, _, delta) => (said.push(`load ${delta ? `${delta.url} or ${url}` : url}`), null),
        install: async (version) => void said.push(`install ${version}`),
        restart: (boot) => void said.push(boot),
        ...given,
      });
      await firmwareUpgrade!.device(args, body, async ({ status, code }) => void said.push(code ?? status));
      return said;
    };
    expect(await run({ firmware: () => '2.4.9' })).toEqual([
      'accepted',
      'load delta or whole',
      'downloaded',
      'install 2.4.10',
      'upgrade',
    ]);
    expect(await run({ firmware: () => '2.4.8' })).toContain('load whole');
    expect(await run({ load: async () => 'checksum' })).toEqual(['accepted', 'checksum']);
  });
});
