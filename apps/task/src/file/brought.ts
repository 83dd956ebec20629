import type { ActionFile, ConfigFile, FileChoice } from '@carillon/actions';
import { copiedIdSql } from './file-copy.entity.ts';

/** The files of a task: one for all of its devices, or several of which each device gets one. */
export type Brought = { one: ActionFile } | { choice: FileChoice; several: readonly ActionFile[] };

export const filesOf = (brought: Brought): readonly ActionFile[] =>
  'one' in brought ? [brought.one] : brought.several;

/** The files that templates make, one per device, share this id where devices are judged by kind. */
const madeId = '00000000-0000-8000-8000-000000000000';
/** What such a file has in common with all others: it exists, and is for the device's model. */
const madeFile: ConfigFile = {
  id: madeId,
  name: '',
  version: 1,
  models: [],
  whole: { fileId: madeId, fileName: '', size: 0, sha256: '' },
};

/** SQL: a file by which a device `d` of a target is judged: its own id, or one for all that templates make. */
export const judgedFileSql = (brought: Brought | undefined): string =>
  isMade(brought) ? `case when d.file_id is not null then '${madeId}'::uuid end` : 'd.file_id';

/** Returns the file by which a kind of device is judged. */
export function judgedFile(brought: Brought | undefined, fileId: string | null): ActionFile | undefined {
  if (isMade(brought)) return fileId === null ? undefined : madeFile;
  return brought && ('one' in brought ? brought.one : brought.several.find(({ id }) => id === fileId));
}

const isMade = (brought: Brought | undefined): boolean =>
  brought !== undefined && 'choice' in brought && brought.choice.by === 'template';

/** SQL: the id of the file that device `d` gets; null when none is chosen for it. */
const chosenSql = ({ by, pairs }: FileChoice, add: (value: unknown) => string): string => {
  if (by === 'template') return copiedIdSql('deviceConfig')('d.id');
  const given = `
    jsonb_to_recordset(${add(JSON.stringify(pairs.map(({ of, id }, n) => ({ of, id, n }))))}::jsonb)
      as p(of text, id uuid, n int)
  `;
  switch (by) {
    case 'model':
      return `(select p.id from ${given} where p.of = d.model order by p.n limit 1)`;
    case 'group':
      return `(select p.id from ${given} where p.of::uuid = any(d.group_ids) order by p.n limit 1)`;
    case 'site':
      // Computed once for all sites, not per device.
      return `
        (
          (
            with recursive under (site_id, id, steps) as (
              select p.of::uuid, p.id, 0 from ${given}
              union all
              select s.id, u.id, u.steps + 1
              from under u
              join site_copy s on s.parent_id = u.site_id
              where u.steps < 100
            )
            select jsonb_object_agg(n.site_id, n.id)
            from (select distinct on (site_id) site_id, id from under order by site_id, steps) n
          ) ->> d.site_id::text
        )::uuid
      `;
  }
};
/** SQL: the devices `d` of a target, each with the chosen file as `file_id`. */
export const withFileSql = (target: string, brought: Brought | undefined, add: (value: unknown) => string): string => `
  select d.*, ${brought && 'choice' in brought ? chosenSql(brought.choice, add) : 'null::uuid'} as file_id
  from (${target}) d
`;
