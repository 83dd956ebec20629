import { z } from 'zod';

/** A service's settings. Every key has a description (`.describe`) and, if it has one, its default. */
export type ConfigShape = z.ZodObject;

/** Declares settings. A key without a description throws, in the first test that imports it. */
export function defineConfig<S extends z.ZodRawShape>(keys: S): z.ZodObject<S> {
  for (const [key, schema] of Object.entries(keys))
    if (!(schema as z.ZodType).description) throw new Error(`the setting ${key} has no sentence`);
  return z.object(keys);
}

/** Keys and passwords: `--print-config` shows only whether they are set. */
const secretMark = { secret: true } as const;
export const secretText = (minimum = 1) => z.string().min(minimum).meta(secretMark);

/** Returns whether a setting is secret, also when it is optional or has a default, which wrap the schema. */
function isSecret(schema: z.ZodType): boolean {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return schema.meta()?.['secret'] === true || (innerType !== undefined && isSecret(innerType));
}

/** Returns the output of `--print-config`: each variable with its value and description, without secrets. */
export function printConfig(shapes: readonly ConfigShape[], environment: NodeJS.ProcessEnv = process.env): string {
  const keys = new Map(shapes.flatMap((shape) => Object.entries(shape.shape) as [string, z.ZodType][]));
  return [...keys]
    .map(([key, schema]) => {
      const raw = environment[variableName(key)] ?? '';
      const read = schema.safeParse(raw === '' ? undefined : raw);
      const value = isSecret(schema)
        ? raw === ''
          ? ''
          : '(hidden)'
        : raw === ''
          ? read.success
            ? String(read.data ?? '')
            : ''
          : raw;
      const wrong = read.success ? '' : raw === '' ? '  (needed)' : `  (${read.error.issues[0]!.message})`;
      return `# ${schema.description}\n${variableName(key)}=${value}${wrong}\n`;
    })
    .join('');
}

/**
 * Reads settings from the environment, at the only place that does: `CARILLON_MQTT_PORT` is `mqttPort`. `values` (from
 * standalone or a test) take precedence. An invalid value throws an error that names its variable.
 */
export function readConfig<S extends ConfigShape>(
  shape: S,
  values: Partial<z.input<S>> = {},
  environment: NodeJS.ProcessEnv = process.env,
): z.output<S> {
  const read: Record<string, unknown> = {};
  for (const key of Object.keys(shape.shape)) {
    const given = (values as Record<string, unknown>)[key];
    const raw = given ?? environment[variableName(key)];
    if (raw !== undefined && raw !== '') read[key] = raw;
  }
  const result = shape.safeParse(read);
  if (result.success) return result.data as z.output<S>;
  throw new Error(result.error.issues.map((i) => `${variableName(String(i.path[0]))}: ${i.message}`).join('; '));
}

/** Returns the variable of a setting: `CARILLON_MQTT_PORT` for `mqttPort`. */
export function variableName(key: string): string {
  return `CARILLON_${key.replace(/([A-Z])/g, '_$1').toUpperCase()}`;
}

/** Returns the schema of a whole number in a variable. */
export const whole = (fallback: number, minimum = 0, maximum = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number().int().min(minimum).max(maximum).default(fallback);

/** Default keys of other products that are long enough to be accepted (docs/attack-cases.md, A14). */
const wellKnownKeys = new Set([
  'SpringBladeIsAPowerfulMicroserviceArchitecture-UpgradedAndOptimizedFromACommercialProject',
  'BladeXisapowerfulmicroservicearchitectureupgradedandoptimizedfromacommercialproject',
]);
/**
 * Letters of a single case are words: random base64 looks like that once in ten thousand million cases. Hexadecimal has
 * digits.
 */
const words = /^([a-z_-]+|[A-Z_-]+)=*$/;
/** A base64-encoded phrase is still a phrase: random bytes are hardly ever all printable. */
const isPhrase = (key: Buffer): boolean => key.every((byte) => byte >= 32 && byte < 127);

/**
 * Returns the schema of a key with at least 256 random bits: bytes, or text in base64 or base64url. Well-known and weak
 * keys stop the start.
 */
export const secretKey = () =>
  z
    .union([
      z.instanceof(Buffer),
      z
        .string()
        .regex(/^[A-Za-z0-9+/_-]+={0,2}$/, 'is not base64')
        .transform((text) =>
          words.test(text) || wellKnownKeys.has(text) ? Buffer.alloc(0) : Buffer.from(text, 'base64'),
        ),
    ])
    .refine(
      (key) => key.length >= 32 && new Set(key).size > 12 && !isPhrase(key),
      'must be 32 random bytes or more, in base64url',
    )
    .meta(secretMark);

/** Settings of a process that shares a cache and claims with others. */
export const redisConfig = defineConfig({
  redisUrl: secretText()
    .regex(/^(rediss?|unix):\/\//, 'is not redis://, rediss:// or unix://')
    .optional()
    .describe(
      'Redis of the installation, with its password: redis://:PASSWORD@HOST:PORT. Without it only one process of this service may run.',
    ),
  redisPrefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/)
    .default('carillon')
    .describe('Prefix of every key in Redis: a different one for each installation that uses it.'),
});
