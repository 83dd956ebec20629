import type { Action } from '@carillon/actions';

export interface ParamField {
  key: string;
  kind: 'switch' | 'number' | 'choice' | 'file' | 'pairs' | 'text';
  initial: unknown;
  required: boolean;
  options?: readonly string[];
  /** What the file is. */
  noun?: NonNullable<Action['file']>;
  minimum?: number;
  maximum?: number;
}

interface JsonField {
  type?: string;
  enum?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

/** The form of an action is its parameters' schema: a new action needs none of its own. */
export function fieldsOf({ params, file, chooses }: Pick<Action, 'params' | 'file' | 'chooses'>): ParamField[] {
  const schema = params.toJSONSchema({ io: 'input' }) as {
    properties?: Record<string, JsonField>;
    required?: string[];
  };
  return Object.entries(schema.properties ?? {}).map(([key, f]) => ({
    key,
    kind:
      chooses && key === 'pairs'
        ? 'pairs'
        : f.enum
          ? 'choice'
          : file !== undefined && key === `${file}Id`
            ? 'file'
            : f.type === 'boolean'
              ? 'switch'
              : f.type === 'number' || f.type === 'integer'
                ? 'number'
                : 'text',
    // What has to be said begins with the first that can be: it is there to be seen.
    initial: f.default ?? (schema.required?.includes(key) ? (f.enum?.[0] ?? f.minimum) : undefined),
    required: schema.required?.includes(key) === true && f.default === undefined,
    ...(f.enum ? { options: f.enum } : {}),
    ...(file !== undefined && (key === `${file}Id` || (chooses && key === 'pairs')) ? { noun: file } : {}),
    ...(f.minimum === undefined ? {} : { minimum: f.minimum }),
    ...(f.maximum === undefined ? {} : { maximum: f.maximum }),
  }));
}

/** Which of several files a device gets, as the form holds it: what is still to be chosen is missing. */
export interface FilePair {
  of?: string | undefined;
  fileId?: string | undefined;
}
/** By what the file of a device is chosen; `file` is one for all. */
export type FilesBy = 'file' | 'model' | 'site' | 'group';

/** By what the files are chosen that the parameters name; undefined of an action that has one file or none. */
export const filesBy = (
  fields: readonly Pick<ParamField, 'kind' | 'key' | 'initial'>[],
  values: Record<string, unknown>,
): FilesBy | undefined => {
  if (!fields.some(({ kind }) => kind === 'pairs')) return undefined;
  return (values['by'] ?? fields.find(({ key }) => key === 'by')?.initial) as FilesBy | undefined;
};

/** What is asked for now: the one file, or the files by model, site or group. */
export const askedFields = <F extends Pick<ParamField, 'kind' | 'key' | 'initial'>>(
  fields: readonly F[],
  values: Record<string, unknown>,
): readonly F[] => {
  const by = filesBy(fields, values);
  return by === undefined ? fields : fields.filter(({ kind }) => kind !== (by === 'file' ? 'pairs' : 'file'));
};

/** Without those of several files. */
export const oneFileFields = <F extends Pick<ParamField, 'kind' | 'key'>>(fields: readonly F[]): readonly F[] =>
  fields.some(({ kind }) => kind === 'pairs')
    ? fields.filter(({ kind, key }) => kind !== 'pairs' && key !== 'by')
    : fields;
