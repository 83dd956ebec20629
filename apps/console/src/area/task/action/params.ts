import type { Action } from '@carillon/actions';

export interface ParamField {
  key: string;
  kind: 'switch' | 'number' | 'choice' | 'text';
  initial: unknown;
  required: boolean;
  options?: readonly string[];
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
export function fieldsOf(params: Action['params']): ParamField[] {
  const schema = params.toJSONSchema({ io: 'input' }) as {
    properties?: Record<string, JsonField>;
    required?: string[];
  };
  return Object.entries(schema.properties ?? {}).map(([key, f]) => ({
    key,
    kind: f.enum
      ? 'choice'
      : f.type === 'boolean'
        ? 'switch'
        : f.type === 'number' || f.type === 'integer'
          ? 'number'
          : 'text',
    initial: f.default,
    required: schema.required?.includes(key) === true && f.default === undefined,
    ...(f.enum ? { options: f.enum } : {}),
    ...(f.minimum === undefined ? {} : { minimum: f.minimum }),
    ...(f.maximum === undefined ? {} : { maximum: f.maximum }),
  }));
}
