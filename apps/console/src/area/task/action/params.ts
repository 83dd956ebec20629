import type { Action } from '@carillon/actions';

export interface ParamField {
  key: string;
  kind: 'switch' | 'number' | 'choice' | 'file' | 'pairs' | 'text';
  initial: unknown;
  required: boolean;
  options?: readonly string[];
  /** The kind of file. */
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

/** Derives an action's form from the schema of its parameters, so that a new action needs no form of its own. */
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
    // A required value starts with the first option, because it is visible.
    initial: f.default ?? (schema.required?.includes(key) ? (f.enum?.[0] ?? f.minimum) : undefined),
    required: schema.required?.includes(key) === true && f.default === undefined,
    ...(f.enum ? { options: f.enum } : {}),
    ...(file !== undefined && (key === `${file}Id` || (chooses && key === 'pairs')) ? { noun: file } : {}),
    ...(f.minimum === undefined ? {} : { minimum: f.minimum }),
    ...(f.maximum === undefined ? {} : { maximum: f.maximum }),
  }));
}

/** A pair of the choice among several files, as in the form; missing parts are not chosen yet. */
export interface FilePair {
  of?: string | undefined;
  fileId?: string | undefined;
}
/** The scope by which a device's file is chosen; `file` is one for all. */
export type FilesBy = 'file' | 'model' | 'site' | 'group';

/** Returns the scope by which the parameters choose files; undefined for an action with one file or none. */
export const filesBy = (
  fields: readonly Pick<ParamField, 'kind' | 'key' | 'initial'>[],
  values: Record<string, unknown>,
): FilesBy | undefined => {
  if (!fields.some(({ kind }) => kind === 'pairs')) return undefined;
  return (values['by'] ?? fields.find(({ key }) => key === 'by')?.initial) as FilesBy | undefined;
};

/** Returns the fields that are asked for now: the single file, or the files by model, site or group. */
export const askedFields = <F extends Pick<ParamField, 'kind' | 'key' | 'initial'>>(
  fields: readonly F[],
  values: Record<string, unknown>,
): readonly F[] => {
  const by = filesBy(fields, values);
  return by === undefined ? fields : fields.filter(({ kind }) => kind !== (by === 'file' ? 'pairs' : 'file'));
};

/** Returns the fields without those for several files. */
export const oneFileFields = <F extends Pick<ParamField, 'kind' | 'key'>>(fields: readonly F[]): readonly F[] =>
  fields.some(({ kind }) => kind === 'pairs')
    ? fields.filter(({ kind, key }) => kind !== 'pairs' && key !== 'by')
    : fields;
