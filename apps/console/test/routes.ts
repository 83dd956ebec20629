import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of the console, from the declaration in its route file. */
export interface PageRoute {
  /** As in the address: `/system/users/editRole`. */
  path: string;
  /** Opens without a login. */
  isPublic: boolean;
  /** Its parameters, and the lists whose first records are the examples. */
  parameters: readonly { name: string; inPath: boolean; list: string | undefined }[];
}

const folder = join(import.meta.dirname, '../src/frame/routes');
const listed = (text: string | undefined) => [...(text ?? '').matchAll(/(\w+): '([^']+)'/g)];

/** Every route that renders a page, without mere redirects. */
export const pageRoutes: readonly PageRoute[] = globSync('**/*.tsx', { cwd: folder })
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .flatMap((source) => {
    const id = /createFileRoute\('([^']+)'\)/.exec(source)?.[1];
    if (id === undefined || id === '/_main' || !/\bcomponent:/.test(source)) return [];
    const path = id.replace(/^\/_main/, '').replaceAll('_/', '/');
    const examples = new Map(listed(/example: \{([^}]*)\}/.exec(source)?.[1]).map((m) => [m[1]!, m[2]!]));
    const inPath = [...path.matchAll(/\$(\w+)/g)].map((m) => m[1]!);
    const asked = [...(/tabBy: \[([^\]]*)\]/.exec(source)?.[1]?.matchAll(/'(\w+)'/g) ?? [])].map((m) => m[1]!);
    return [
      {
        path,
        isPublic: !id.startsWith('/_main') && !/session\(\) === undefined/.test(source),
        parameters: [...new Set([...inPath, ...asked, ...examples.keys()])].map((name) => ({
          name,
          inPath: inPath.includes(name),
          list: examples.get(name),
        })),
      },
    ];
  })
  .toSorted((a, b) => a.path.localeCompare(b.path));
