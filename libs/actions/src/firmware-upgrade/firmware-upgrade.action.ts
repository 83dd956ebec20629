import type { DeltaFormat } from '@carillon/contracts';
import { compareVersions } from '@carillon/contracts/version';
import { defineAction, refused, type Firmware, type GivenFile, type SignedPart } from '../define.ts';
import { firmwareUpgradeTexts } from './firmware-upgrade.text.ts';

const linked = ({ file, linkTo }: GivenFile<Firmware>, part: SignedPart) => ({
  url: linkTo(part),
  size: part.size,
  sha256: part.sha256,
  signature: part.signature,
  signedBy: file.signedBy,
  ...(file.endorsements.length > 0 ? { endorsements: [...file.endorsements] } : {}),
});

/**
 * Returns whether a device applies a format: every device applies its maker's packages, and those of the platform only
 * when it reports the capability.
 */
const applies = (capabilities: readonly string[], format: DeltaFormat): boolean =>
  format === 'maker' || capabilities.includes(`delta.${format}`);

export const firmwareUpgrade = defineAction({
  key: 'firmwareUpgrade',
  icon: 'IconCloudDownload',
  right: 'pushFirmware',
  texts: firmwareUpgradeTexts,
  file: 'firmware',
  params: (z) =>
    z.strictObject({
      firmwareId: z.uuid(),
      differential: z.boolean().default(true),
      downgrade: z.boolean().default(false),
      whenIdle: z.boolean().default(true),
    }),
  example: { firmwareId: '01920000-0000-7000-8000-00000000f001', differential: true, downgrade: false, whenIdle: true },
  args: (z) => {
    const file = {
      url: z.string(),
      size: z.number().int(),
      sha256: z.string(),
      signature: z.string(),
      signedBy: z.string(),
      endorsements: z.array(z.object({ key: z.string(), signature: z.string() })).optional(),
    };
    return z.object({
      ...file,
      version: z.string(),
      delta: z.object({ format: z.string(), from: z.string(), ...file }).optional(),
      whenIdle: z.boolean().optional(),
    });
  },
  toArgs: ({ differential, whenIdle }, { firmware, capabilities }, given) => {
    const { file } = given!;
    const delta = differential
      ? file.deltas.find(({ from, format = 'maker' }) => from === firmware && applies(capabilities, format))
      : undefined;
    return {
      ...linked(given!, file.whole),
      version: file.version,
      ...(delta ? { delta: { format: delta.format ?? 'maker', from: delta.from, ...linked(given!, delta) } } : {}),
      whenIdle,
    };
  },
  link:
    '`accepted` first, `progress` while it loads, `downloaded` when the file is checked (docs: Files), and again ' +
    'with the code `busy` during a call; then, when idle, it ' +
    'restarts; done when its hello names `version`; `delta` makes `version` of the version `from` (docs: Differential packages) and may be ' +
    'ignored; fails with `download`, `checksum` or `signature`',
  changesDevice: true,
  answerWithinMs: 30_000,
  // Longest time between two reports of the device.
  doneWithinMs: 1_800_000,
  expiresAfterMs: 24 * 3_600_000,
  perSecond: 0,
  refuses: ({ model, firmware }, { downgrade }, file, restores = false) => {
    if (!file) return null;
    const { version, least, damaged = false } = file;
    if (damaged) return refused('damaged');
    if (!file.models.includes(model)) return refused('otherModel', { model });
    const compared = compareVersions(firmware, version);
    // A broken version must not keep a device from the one that it ran before.
    if (compared === null) return restores ? null : refused('incomparable');
    if (compared === 0) return refused('sameVersion', { version });
    if (compared > 0 && !downgrade) return refused('newerVersion', { version: firmware! });
    if (least !== null && (compareVersions(firmware, least) ?? -1) < 0) return refused('tooOld', { least });
    return null;
  },
  backWith: ({ boot, firmware }, said, file) =>
    compareVersions(firmware, file!.version) === 0 || (said || boot === 'upgrade' ? 'otherVersion' : undefined),
  device: async ({ version, delta, whenIdle, ...whole }, body, answer) => {
    await answer({ status: 'accepted' });
    const wrong = await body.load(whole, version, delta?.from === body.firmware() ? delta : undefined);
    if (wrong) return answer({ status: 'fail', code: wrong });
    await answer({ status: 'downloaded' });
    if (whenIdle !== false) await body.idle();
    await body.install(version);
    body.restart('upgrade');
  },
});
