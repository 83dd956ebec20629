import {
  actions,
  type Action,
  type ActionFile,
  type FileNoun,
  type FilePart,
  type Firmware,
  type GivenFile,
} from '@carillon/actions';
import { fillPath, loadDeviceConfig } from '@carillon/contracts';
import { columns, computed, currentSql } from '@carillon/persistence';
import { downloadPath, downloadToken, failAt } from '@carillon/service';
import { Task } from '../task/task.entity.ts';
import type { Brought } from './brought.ts';
import { copiedSql } from './file-copy.entity.ts';
import { firmwareSql } from './firmware-copy.entity.ts';

/** Longest time between a command and the start of its download, ms (docs/device-link.md, Files). */
const beginsWithinMs = 3_600_000;

/** SQL of a file's copy by its id, per noun; null when it does not exist. */
const copies: Readonly<Record<FileNoun, (id: string) => string>> = {
  firmware: firmwareSql,
  resourceFile: copiedSql('resourceFile'),
  configFile: copiedSql('configFile'),
};

/** SQL: a file of task `t` as the store has it now; with templates, as they make it now. */
const copySql = (id: string): string => `
  (case t.action ${Object.values(actions)
    .filter((action) => action.file)
    .map(({ key, file }) => `when '${key}' then ${copies[file!](id)}`)
    .join(' ')} end)
`;
const madeSql = copiedSql('deviceConfig');
/**
 * SQL: the file of task `t` as the store has it now, or as it was when it was ordered; for a task with several the one
 * with the given id, which is null when none was chosen. A task by templates has an empty list, and the id is the
 * device's. Null for a task without a file.
 */
export const fileSql = (chosenId: string): string => `
  (case
    when t.file is not null then coalesce(${copySql(`(t.file ->> 'id')::uuid`)}, t.file)
    when t.files = '[]' then ${madeSql(chosenId)}
    when t.files is not null and ${chosenId} is not null then coalesce(
      ${copySql(chosenId)},
      (
        select own.file from jsonb_array_elements(t.files) own(file) where (own.file ->> 'id')::uuid = ${chosenId}
      )
    )
  end)
`;
/** SQL: likewise all files of a task `t` with several; null for one or none. */
export const filesSql = `
  (case when t.files is not null then (
    select coalesce(jsonb_agg(coalesce(${copySql(`(own.file ->> 'id')::uuid`)}, own.file) order by own.n), '[]')
    from jsonb_array_elements(t.files) with ordinality own(file, n)
  ) end)
`;

const known = columns(Task, 'x', [], { file: computed<ActionFile | null>('x.file') });
async function copied(noun: FileNoun, id: unknown): Promise<ActionFile | undefined> {
  const sql = `select ${known} from (select ${copies[noun]('$1::uuid')} as file) x`;
  return (await currentSql().rows(known, sql, [id]))[0]!.file ?? undefined;
}
export const firmwareFile = (id: unknown) => copied('firmware', id) as Promise<Firmware | undefined>;

/** Returns the files that an order names, which must exist; undefined when its action has none. */
export async function orderedFiles(action: Action, params: Record<string, unknown>): Promise<Brought | undefined> {
  const { file: noun } = action;
  if (!noun) return undefined;
  const there = async (id: unknown, path: string): Promise<ActionFile> =>
    (await copied(noun, id)) ?? failAt(`params.${path}`, 'task.fileMissing');
  const choice = action.chooses?.(params);
  if (!choice) return { one: await there(params[`${noun}Id`], `${noun}Id`) };
  const several = new Map<string, ActionFile>();
  for (const { id, path } of choice.pairs) if (!several.has(id)) several.set(id, await there(id, path));
  return { choice, several: [...several.values()] };
}
/** Returns the name for the operation log. */
export const fileTitle = (file: ActionFile): string => ('version' in file ? `${file.name} ${file.version}` : file.name);

/** Settings for download links. */
export interface Links {
  key: Buffer;
  /** Address of the installation for devices. */
  publicUrl: string;
}

/** Returns the path of a file: its store serves it, or the provisioning service what templates make. */
const pathOf = (given: ActionFile, token: string, file: string): string =>
  'made' in given ? fillPath(loadDeviceConfig.path, { token, file }) : downloadPath(token, file);

/**
 * Returns the file of a command with its download address. A phone over HTTP may begin at any time until its command
 * ends: it may be told an hour late, and some ask only once a night.
 */
export function givenFile(
  file: ActionFile,
  command: {
    companyId: string;
    deviceId: string;
    ownerEpoch: number;
    taskId: string;
    commandId: string;
    until: number;
    isPhone: boolean;
  },
  { key, publicUrl }: Links,
): GivenFile {
  const { isPhone } = command;
  const beginBy = isPhone ? command.until : Math.min(command.until, Date.now() + beginsWithinMs);
  return {
    file: file,
    linkTo: ({ fileId, fileName }: FilePart) =>
      publicUrl.replace(/\/$/, '') +
      pathOf(
        file,
        downloadToken(key, { ...command, fileId, beginBy }, isPhone && !('made' in file) ? fileName : undefined),
        fileName,
      ),
  };
}
