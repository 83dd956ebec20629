import { overHttp } from '@carillon/contracts/capability';
import { defineAction, refused, type ConfigFile } from '../define.ts';
import { configUpdateTexts } from './config-update.text.ts';

const without = {
  file: 'noFile',
  model: 'noFileForModel',
  site: 'noFileForSite',
  group: 'noFileForGroup',
  template: 'noTemplate',
} as const;

/** Returns the version that the device reports back: short, and unique to the file's content. */
const versionOf = ({ id, version, made }: ConfigFile): string => made ?? `${id.slice(-12)}.${version}`;

export const configUpdate = defineAction({
  key: 'configUpdate',
  icon: 'IconFileSettings',
  right: 'configureDevice',
  texts: configUpdateTexts,
  file: 'configFile',
  params: (z) =>
    z
      .strictObject({
        by: z.enum(['file', 'model', 'site', 'group', 'template']).default('file'),
        configFileId: z.uuid().optional(),
        pairs: z
          .array(z.strictObject({ of: z.string().min(1).max(128), configFileId: z.uuid() }))
          .max(100)
          .optional(),
        mode: z.enum(['merge', 'replace']).default('merge'),
        whenIdle: z.boolean().default(true),
      })
      .check((given) => {
        const { by, configFileId, pairs = [] } = given.value;
        const wrong = (...path: (string | number)[]) =>
          given.issues.push({ code: 'custom', message: 'does not fit', input: given.value, path });
        if ((configFileId !== undefined) !== (by === 'file')) wrong('configFileId');
        if (pairs.length > 0 !== (by !== 'file' && by !== 'template')) wrong('pairs');
        for (const [i, { of }] of pairs.entries()) {
          if (pairs.findIndex((other) => other.of === of) < i) wrong('pairs', i, 'of');
          if ((by === 'site' || by === 'group') && !z.uuid().safeParse(of).success) wrong('pairs', i, 'of');
        }
      }),
  example: { by: 'file', configFileId: '01920000-0000-7000-8000-00000000f003', mode: 'merge', whenIdle: true },
  chooses: ({ by, pairs = [] }) =>
    by === 'file'
      ? null
      : {
          by,
          pairs: pairs.map(({ of, configFileId }, i) => ({ of, id: configFileId, path: `pairs.${i}.configFileId` })),
        },
  args: (z) =>
    z.object({
      version: z.string(),
      url: z.string(),
      size: z.number().int(),
      sha256: z.string(),
      mode: z.enum(['merge', 'replace']),
      whenIdle: z.boolean().optional(),
    }),
  toArgs: ({ mode, whenIdle }, _, given) => {
    const { file, linkTo } = given!;
    const { size, sha256 } = file.whole;
    return { version: versionOf(file), url: linkTo(file.whole), size, sha256, mode, whenIdle };
  },
  link:
    '`accepted` first, `progress` while it loads, `downloaded` when the file is checked (docs: Files), and again ' +
    'with the code `busy` during a call; then, when idle, ' +
    'the file is applied: `replace` drops what it does not name, `merge` keeps it; success carries ' +
    '`data.rejected: [{ key, code }]` for what the device does not take of it; from then on `state`, and each hello, ' +
    'names `version` as its `configVersion`; a factory reset removes all; fails with `download`, `checksum` or `syntax`, ' +
    'which change nothing',
  changesDevice: true,
  answerWithinMs: 30_000,
  // Longest time between two reports of the device.
  doneWithinMs: 1_800_000,
  expiresAfterMs: 24 * 3_600_000,
  perSecond: 0,
  refuses: ({ model, capabilities }, { by }, file) => {
    if (by !== 'template' && capabilities.includes(overHttp)) return refused('templatesOnly');
    if (!file) return refused(without[by], by === 'model' ? { model } : {});
    return file.models.length > 0 && !file.models.includes(model) ? refused('otherModel', { model }) : null;
  },
  device: async ({ version, mode, whenIdle, ...file }, body, answer) => {
    await answer({ status: 'accepted' });
    const loaded = await body.read(file);
    if ('wrong' in loaded) return answer({ status: 'fail', code: loaded.wrong });
    await answer({ status: 'downloaded' });
    if (whenIdle !== false) await body.idle();
    const rejected = await body.configure({ version, mode, text: loaded.text });
    if (rejected === null) return answer({ status: 'fail', code: 'syntax' });
    await answer({ status: 'success', data: { rejected } });
  },
});
