import { macFileLength } from '@carillon/contracts/constants';
import { settingKeys, siteZone } from '@carillon/contracts/settings';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { t } from '../../../kit/text/translate.ts';
import { uploadMacFiles, type MacFileResult } from './config-template.calls.ts';
import { definitionOf, settingName } from './setting-words.ts';

/** A character has at most this many bytes in UTF-8. */
const bytesOfCharacter = 3;

/** Returns the text of a file, or the result of one that is not worth a request. */
async function read(file: File): Promise<{ name: string; text: string } | MacFileResult> {
  const refused = (msg: string): MacFileResult => ({
    name: file.name,
    deviceId: null,
    deviceName: null,
    settings: 0,
    isChanged: false,
    error: 'macFile.unread',
    msg,
  });
  const long = () => refused(t('macFile.long', { most: count(macFileLength) }));
  if (file.size > macFileLength * bytesOfCharacter) return long();
  try {
    const text = await file.text();
    return text.length > macFileLength ? long() : { name: file.name, text };
  } catch {
    return refused(t('macFile.unread'));
  }
}

/** Uploads the files. Returns the result of each, the refused ones first, otherwise in their order. */
export async function upload(chosen: readonly File[]): Promise<MacFileResult[]> {
  const all = await Promise.all(chosen.map(read));
  const files = all.filter((file) => 'text' in file);
  const answered = files.length === 0 ? [] : (await call(uploadMacFiles, { body: { files } })).results;
  const results = [...all.filter((file): file is MacFileResult => 'error' in file), ...answered];
  return [...results.filter(({ error }) => error !== null), ...results.filter(({ error }) => error === null)];
}

/** Returns an example file with every setting, its meaning and the values that it can have. */
export function exampleFile(): string {
  const lines = settingKeys.flatMap((key) => {
    const setting = definitionOf(key);
    if (setting.kind === 'password') return [];
    const [values, standard] = {
      choice: () => [(setting as { values: readonly string[] }).values.join(', '), setting.standard],
      whole: () => {
        const { least, most } = setting as { least: number; most: number };
        return [`${least} – ${most}`, setting.standard];
      },
      switch: () => ['1, 0', Number(setting.standard)],
      host: () => ['', setting.standard],
      zone: () => [`${siteZone}, Europe/Berlin, America/New_York …`, setting.standard],
    }[setting.kind]();
    return `# ${settingName(key)}${values === '' ? '' : ` (${values})`}\n${key} = ${standard}\n`;
  });
  return lines.join('\n');
}
