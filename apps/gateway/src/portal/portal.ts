import { changes, type Change } from '@carillon/contracts/changelog';
import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '@carillon/contracts/openapi';

const escape = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
/** Renders the little Markdown that descriptions use. */
const prose = (text: string): string =>
  escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '<br>');

const nameOf = (ref: unknown): string => String(ref).split('/').at(-1)!;

/** Describes a schema in one line if possible. */
function brief(schema: JsonSchema): string {
  if (schema['$ref'])
    return `<a href="#schema-${escape(nameOf(schema['$ref']))}">${escape(nameOf(schema['$ref']))}</a>`;
  if (schema['const'] !== undefined) return `<code>${escape(JSON.stringify(schema['const']))}</code>`;
  if (Array.isArray(schema['enum'])) return schema['enum'].map((v) => `<code>${escape(String(v))}</code>`).join(' ');
  const either = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (either) return either.map(brief).join(' or ');
  if (schema['type'] === 'array') return `list of ${brief((schema['items'] ?? {}) as JsonSchema)}`;
  const limits = Object.entries({
    minLength: 'at least',
    maxLength: 'at most',
    minimum: '≥',
    maximum: '≤',
    format: '',
  }).flatMap(([key, word]) =>
    schema[key] === undefined || Math.abs(Number(schema[key])) === Number.MAX_SAFE_INTEGER
      ? []
      : [`${word} ${String(schema[key])}`.trim()],
  );
  return escape([String(schema['type'] ?? 'anything'), ...limits].join(', '));
}

function table(schema: JsonSchema): string {
  const properties = schema['properties'] as Record<string, JsonSchema> | undefined;
  if (!properties) return `<p>${brief(schema)}</p>`;
  const required = (schema['required'] ?? []) as string[];
  return `<table>${Object.entries(properties)
    .map(
      ([name, property]) =>
        `<tr><th scope="row"><code>${escape(name)}</code>${required.includes(name) ? '' : ' <small>optional</small>'}</th><td>${brief(property)}${
          property['properties']
            ? table(property)
            : (property['items'] as JsonSchema | undefined)?.['properties']
              ? table(property['items'] as JsonSchema)
              : ''
        }</td></tr>`,
    )
    .join('')}</table>`;
}

const parameterRow = ({
  name,
  in: place,
  required,
  schema,
}: NonNullable<OpenApiOperation['parameters']>[number]): string =>
  `<tr><th scope="row"><code>${escape(name)}</code> <small>${place}${required ? '' : ', optional'}</small></th>
<td>${brief(schema)}</td></tr>`;

function call(method: string, path: string, operation: OpenApiOperation): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const access = operation['x-permission']
    ? `needs <code>${escape(operation['x-permission'])}</code>`
    : operation.security.some((s) => 'session' in s)
      ? 'needs a session'
      : 'needs no session';
  const body = requestBody ? Object.values(requestBody.content)[0]! : undefined;
  return `<details id="${escape(operationId)}"><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escape(path)}</code>
<span>${escape(summary)}</span></summary>
<p><code>${escape(operationId)}</code>, ${access}.</p>
${parameters.length > 0 ? `<h4>Parameters</h4><table>${parameters.map(parameterRow).join('')}</table>` : ''}
${
  body && requestBody
    ? `<h4>Body</h4><p>${Object.keys(requestBody.content)
        .map((t) => `<code>${escape(t)}</code>`)
        .join(' or ')}${requestBody.required ? '' : ', optional'}</p>${table(body.schema)}`
    : ''
}
<h4>Answers</h4><table>${Object.entries(responses)
    .map(([status, response]) => {
      const schema = Object.values(response.content ?? {})[0]?.schema;
      return `<tr><th scope="row">${status}</th><td>${Number(status) < 300 && schema ? table((schema['properties'] as Record<string, JsonSchema> | undefined)?.['data'] ?? schema) : prose(response.description)}</td></tr>`;
    })
    .join('')}</table></details>`;
}

/** Lists what each version added. Existing calls are links; the first version needs no list of everything. */
function changeList(all: readonly Change[], known: ReadonlySet<string>): string {
  const names = (title: string, calls: readonly string[]) =>
    calls.length === 0
      ? ''
      : `<h4>${title}</h4><p>${calls.map((c) => (known.has(c) ? `<a href="#${escape(c)}"><code>${escape(c)}</code></a>` : `<code>${escape(c)}</code>`)).join(' ')}</p>`;
  return all
    .map(
      (c, i) =>
        `<h3>${escape(c.version)} <small>${escape(c.date)}</small></h3>${
          i === all.length - 1
            ? `<p>The first version, ${c.added.length} calls.</p>`
            : names('New', c.added) + names('Changed', c.changed) + names('Gone', c.removed) ||
              '<p>No call changed.</p>'
        }`,
    )
    .join('');
}

/** Returns the readable form of the API's description: one page without scripts or foreign resources. */
export function portalPage(document: OpenApiDocument, changelog: readonly Change[] = changes()): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = document.tags.map(
    ({ name }) =>
      `<section><h2 id="${escape(name)}">${escape(name)}</h2>${operations
        .filter((o) => o.operation.tags.includes(name))
        .map((o) => call(o.method, o.path, o.operation))
        .join('')}</section>`,
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escape(name)}"><summary><code>${escape(name)}</code></summary>${table(schema)}</details>`,
  );
  const operationIds = new Set(operations.map((o) => o.operation.operationId));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(document.info.title)}</title>
<link rel="stylesheet" href="/api/docs/portal.css"></head><body>
<header><h1>${escape(document.info.title)}</h1><p>Version ${escape(document.info.version)}.
<a href="/api/openapi.json">openapi.json</a> <a href="/api/asyncapi.json">asyncapi.json</a> <a href="/api/changelog.json">changelog.json</a></p>
<p>${prose(document.info.description)}</p>
<nav>${document.tags.map(({ name }) => `<a href="#${escape(name)}">${escape(name)}</a>`).join(' ')}
<a href="#schemas">schemas</a> <a href="#changes">changes</a></nav></header><main>${sections.join('')}
<section><h2 id="schemas">schemas</h2>${schemas.join('')}</section>
<section><h2 id="changes">changes</h2>${changeList(changelog, operationIds)}</section></main></body></html>`;
}

/** Colours of the console (design brief, section 2). */
export const portalStyle = `:root{color-scheme:light dark;--canvas:#f4f3f0;--surface:#fff;--line:#dedbd5;
--text:#1c1a17;--text2:#55514a;--accent:#0b6470}
@media(prefers-color-scheme:dark){:root{--canvas:#100f0e;--surface:#191816;--line:#34312e;
--text:#edeae5;--text2:#b3aea5;--accent:#5ec2ce}}
body{margin:0;background:var(--canvas);color:var(--text);font:14px/1.5 system-ui,sans-serif}
header,main{max-width:960px;margin:auto;padding:20px}
h1{font-size:24px}
h2{font-size:18px;text-transform:capitalize}
h4{margin:12px 0 4px}
a{color:var(--accent)}
code{font:12px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}
small,summary span{color:var(--text2)}
nav a{margin-right:12px}
details{background:var(--surface);border:1px solid var(--line);border-radius:8px;margin:8px 0;padding:8px 12px}
summary{cursor:pointer}
summary b{display:inline-block;min-width:56px;color:var(--accent)}
table{border-collapse:collapse;width:100%}th,td{border-top:1px solid var(--line);padding:4px 8px;text-align:left;
vertical-align:top;font-weight:400}
th{width:30%}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;
