import { z } from 'zod';
import { errorCatalogue, type ErrorKey } from './errors.ts';
import type { ErrorEntry } from './define/error.ts';
import { bytesType } from './define/constant.ts';
import { errorsOfSchema } from './define/schema-errors.ts';
import { failsFlat, mayBeTooWide, type RouteDefinition } from './define/route.ts';
import { allRoutes, isPrinted, type NamedRoute } from './routes.ts';

export type JsonSchema = Record<string, unknown>;
export interface OpenApiParameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: JsonSchema;
  style?: 'form';
  explode?: true;
}
export interface OpenApiOperation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: OpenApiParameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<
    string,
    {
      description: string;
      headers?: Record<string, { required: boolean; schema: JsonSchema }>;
      content?: Record<string, { schema: JsonSchema }>;
    }
  >;
  /** Button key that the call requires; absent when any session suffices. */
  'x-permission'?: string;
}
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> };
}

/** Returns the errors that a call may answer without declaring them: those of the API gateway and of the validation. */
function commonOf(route: RouteDefinition): ErrorKey[] {
  const { permission, query, body } = route;
  return [
    ...(query || body || !isPrinted(route) ? ['common.invalid' as const] : []),
    ...(mayBeTooWide(route) ? ['common.tooWide' as const] : []),
    ...(body
      ? [
          'common.malformed' as const,
          'common.tooLarge' as const,
          'common.mediaType' as const,
          'common.tooSlow' as const,
        ]
      : []),
    // Errors of a session: a foreign organization, an API token, a password that must be changed first.
    ...(permission === 'public'
      ? []
      : ([
          'common.tokenInvalid',
          'common.locked',
          'common.forbidden',
          'auth.passwordChangeRequired',
          'supportAccess.ended',
        ] as const)),
    // A developer token is locked with the account of its creator.
    ...(permission === 'public' || permission === 'session' ? [] : ['auth.accountLocked' as const]),
    'common.notFound',
    'common.tooMany',
    'common.notHttp',
    'common.expectation',
    'common.headersTooLarge',
    'common.unavailable',
  ];
}

/** Returns every error that a route may answer, in the order of the catalogue. */
export function errorsOf(route: RouteDefinition): ErrorKey[] {
  const { query, params, body } = route;
  const ofInput = [query, params, body].flatMap((schema) => [...errorsOfSchema(schema)]);
  const may = new Set<ErrorKey>([...commonOf(route), ...route.errors, ...ofInput]);
  return (Object.keys(errorCatalogue) as ErrorKey[]).filter((key) => may.has(key));
}

/** Converts a Zod schema to JSON Schema; named ones (`.meta({ id })`) move into the components. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', components: Record<string, JsonSchema>): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...plain
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  const moved = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as T;
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] = moved(definition);
  return moved(plain);
}

function parametersOf(
  schema: z.ZodObject | undefined,
  at: 'path' | 'query',
  components: Record<string, JsonSchema>,
): OpenApiParameter[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input', components) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: at,
    required: at === 'path' || required.includes(name),
    schema: property,
    // An array is a repeated key (SYS-06).
    ...(property['type'] === 'array' ? { style: 'form' as const, explode: true as const } : {}),
  }));
}

/** Returns the schema of a stream event: its name, and JSON data. */
const eventOf = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    event: { type: 'string' },
    data: { type: 'string', contentMediaType: 'application/json', contentSchema: data },
  },
});

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

function responsesOf(route: RouteDefinition, components: Record<string, JsonSchema>): OpenApiOperation['responses'] {
  const data = toSchema(route.response, 'output', components);
  const success: JsonSchema =
    route.flat === true
      ? data
      : {
          type: 'object',
          required: ['code', 'success', 'msg', 'data'],
          properties: { code: { const: 200 }, success: { const: true }, msg: { type: 'string' }, data },
        };
  const responses: OpenApiOperation['responses'] = {};
  if (route.redirect === true)
    responses[302] = {
      description: 'Leads the browser on.',
      headers: { Location: { required: true, schema: { type: 'string', format: 'uri-reference' } } },
    };
  else
    responses[route.status ?? 200] = {
      description: 'Done.',
      ...(route.status === 204
        ? {}
        : {
            content:
              route.stream === true
                ? { 'text/event-stream': { schema: eventOf(data) } }
                : route.file
                  ? { [route.file]: { schema: data } }
                  : json(success),
          }),
    };
  for (const [status, keys] of Map.groupBy(errorsOf(route), (key) => (errorCatalogue[key] as ErrorEntry).status)) {
    const shape = { $ref: `#/components/schemas/${failsFlat(route) ? 'TokenFailure' : 'Failure'}` };
    responses[status] = {
      description: keys.map((key) => `\`${key}\`: ${(errorCatalogue[key] as ErrorEntry).en_US}`).join('\n\n'),
      content: json({ allOf: [shape, { properties: { error: { enum: keys } } }] }),
    };
  }
  return responses;
}

/**
 * Returns the security of a route. Client authentication is required only where a session begins; elsewhere it is
 * optional.
 */
function securityOf({ permission, errors }: RouteDefinition): Record<string, string[]>[] {
  if (permission !== 'public') return [{ client: [], session: [] }, { session: [] }, { bearer: [] }];
  return (errors as readonly string[]).includes('auth.clientInvalid') ? [{ client: [] }] : [{ client: [] }, {}];
}

function operationOf({ name, owner, route }: NamedRoute, components: Record<string, JsonSchema>): OpenApiOperation {
  const parameters = [
    ...parametersOf(route.params, 'path', components),
    ...parametersOf(route.query, 'query', components),
  ];
  const body = route.body ? toSchema(route.body, 'input', components) : undefined;
  return {
    operationId: name,
    summary: route.summary,
    tags: [owner],
    security: securityOf(route),
    ...(route.permission === 'public' || route.permission === 'session' ? {} : { 'x-permission': route.permission }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.bytes
      ? { requestBody: { required: true, content: { [bytesType]: { schema: { type: 'string', format: 'binary' } } } } }
      : {}),
    ...(body
      ? {
          requestBody: {
            required: !route.body!.safeParse(undefined).success,
            content: {
              ...json(body),
              ...(route.form === true ? { 'application/x-www-form-urlencoded': { schema: body } } : {}),
            },
          },
        }
      : {}),
    responses: responsesOf(route, components),
  };
}

const failureSchemas: Record<string, JsonSchema> = {
  Failure: {
    type: 'object',
    required: ['code', 'success', 'msg', 'error', 'requestId', 'data'],
    properties: {
      code: { type: 'integer', description: 'The HTTP status.' },
      success: { const: false },
      msg: { type: 'string', description: 'For a person, in the language of the request.' },
      error: { type: 'string', description: 'Stable key of the catalogue.' },
      requestId: { type: ['string', 'null'] },
      data: {
        anyOf: [
          { type: 'null' },
          {
            type: 'object',
            required: ['fields'],
            properties: {
              fields: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['path', 'error', 'msg'],
                  properties: { path: { type: 'string' }, error: { type: 'string' }, msg: { type: 'string' } },
                },
              },
            },
          },
        ],
      },
    },
  },
  TokenFailure: {
    type: 'object',
    required: ['error', 'error_description', 'code', 'requestId'],
    properties: {
      error: { type: 'string' },
      error_description: { type: 'string' },
      code: { type: 'integer' },
      msg: { type: 'string' },
      requestId: { type: ['string', 'null'] },
    },
  },
};

/** Returns the public description of all calls (OpenAPI 3.1), built from the constants that the services use. */
export function openApi({ title, version }: { title: string; version: string }): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = { ...failureSchemas };
  const paths: OpenApiDocument['paths'] = {};
  for (const named of allRoutes)
    (paths[named.route.path] ??= {})[named.route.method.toLowerCase()] = operationOf(named, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: `${title} API`,
      version,
      description:
        'Answers are `{ code, success, msg, data }`; `code` is 200 on every success and the HTTP status on every failure. Only the token call is flat.\n\nWhat happens is told to programs by webhooks, signed: `docs/webhooks.md` of the source has the events, the signature and the retries.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(allRoutes.map((r) => r.owner))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        client: { type: 'http', scheme: 'basic', description: 'Names the client; does not protect.' },
        session: {
          type: 'apiKey',
          in: 'header',
          name: 'Carillon-Token',
          description: 'The access token; `Carillon-Auth: bearer <token>` says the same.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The access token alone.' },
      },
    },
  };
}
