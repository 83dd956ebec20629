import { loadsOverHttp, overHttp } from '@carillon/contracts/capability';
import { defineAction, refused } from '../define.ts';
import { resourceUpgradeTexts } from './resource-upgrade.text.ts';

export const resourceUpgrade = defineAction({
  key: 'resourceUpgrade',
  icon: 'IconFileDownload',
  right: 'sendDeviceResource',
  texts: resourceUpgradeTexts,
  file: 'resourceFile',
  params: (z) => z.strictObject({ resourceFileId: z.uuid() }),
  example: { resourceFileId: '01920000-0000-7000-8000-00000000f002' },
  args: (z) =>
    z.object({
      kind: z.enum(['languagePack', 'image', 'ringtone']),
      name: z.string(),
      files: z.array(z.object({ name: z.string(), url: z.string(), size: z.number().int(), sha256: z.string() })),
    }),
  toArgs: (_, __, given) => {
    const { file, linkTo } = given!;
    return {
      kind: file.type,
      name: file.name,
      files: file.files.map((part) => ({
        name: part.fileName,
        url: linkTo(part),
        size: part.size,
        sha256: part.sha256,
      })),
    };
  },
  link:
    '`files: [{ name, url, size, sha256 }]`: `accepted` first, `progress` while it loads, `downloaded` when all of them ' +
    'are loaded and checked (docs: Files); only then they take the place of what the device has of that `kind` under ' +
    'that `name`, and it answers success; no restart, and a factory reset removes them; fails with `download`, ' +
    '`checksum` or `space`',
  changesDevice: true,
  answerWithinMs: 30_000,
  // Longest time between two reports of the device.
  doneWithinMs: 1_800_000,
  expiresAfterMs: 24 * 3_600_000,
  perSecond: 0,
  refuses: ({ model, capabilities }, _, file) => {
    if (!file || !capabilities.includes(overHttp)) return null;
    if (!capabilities.includes(loadsOverHttp(file.type))) return refused('kindOverHttp', { model });
    // The setting of a maker has one address.
    return file.files.length > 1 ? refused('oneFileOverHttp') : null;
  },
  device: async (resource, body, answer) => {
    await answer({ status: 'accepted' });
    const wrong = await body.loadAll(resource);
    if (wrong) return answer({ status: 'fail', code: wrong });
    await answer({ status: 'downloaded' });
    await body.keep(resource);
    await answer({ status: 'success' });
  },
});
