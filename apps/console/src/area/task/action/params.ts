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
/** How a device's file is chosen: one for all, by a scope, or made of its configuration templates. */
export type FilesBy = 'file' | 'model' | 'site' | 'group' | 'template';
/** Choices that need no table of several files. */
const withoutPairs: readonly string[] = ['file', 'template'] satisfies FilesBy[];

/** Returns how the parameters choose files; undefined for an action with one file or none. */
export const filesBy = (
  fields: readonly Pick<ParamField, 'kind' | 'key' | 'initial'>[],
  values: Record<string, unknown>,
): FilesBy | undefined => {
  const by = fields.find(({ key }) => key === 'by');
  if (!by || !fields.some(({ kind }) => kind === 'file')) return undefined;
  return (values['by'] ?? by.initial) as FilesBy | undefined;
};

/** Returns the fields that are asked for now: the single file, the files by model, site or group, or neither. */
export const askedFields = <F extends Pick<ParamField, 'kind' | 'key' | 'initial'>>(
  fields: readonly F[],
  values: Record<string, unknown>,
): readonly F[] => {
  const by = filesBy(fields, values);
  if (by === undefined) return fields;
  return fields.filter(({ kind }) =>
    kind === 'file' ? by === 'file' : kind === 'pairs' ? !withoutPairs.includes(by) : true,
  );
};

/** Returns the fields without those for several files. */
export const oneFileFields = <F extends Pick<ParamField, 'kind' | 'key' | 'options'>>(
  fields: readonly F[],
): readonly F[] =>
  fields.some(({ kind }) => kind === 'pairs')
    ? fields.flatMap((field) => {
        if (field.kind === 'pairs') return [];
        if (field.key !== 'by') return [field];
        const options = field.options?.filter((by) => withoutPairs.includes(by)) ?? [];
        return options.length > 1 ? [{ ...field, options }] : [];
      })
    : fields;
