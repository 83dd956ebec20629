import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { projectRoot } from './data-folder.ts';
import { parts, vitest, type TestPart } from './test-part.ts';
import { Trouble } from './trouble.ts';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Returns the commit to compare with: the given one, else `origin/main`, else the last commit. */
function baseOf(since: string | true): string {
  for (const name of since === true ? ['origin/main', 'HEAD'] : [since])
    try {
      return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)[0]!;
    } catch {
      // Try the next name.
    }
  throw new Trouble(`There is no commit ${String(since)}.`);
}

/** Returns the nouns of the changed files by the names of their folders, such as `device-group`. */
const nounsOf = (files: readonly string[]): string[] => [
  ...new Set(
    files.flatMap((file) => {
      const [, service] = /^apps\/(?!console|standalone|gateway|simulator)[\w-]+\/src\/([\w-]+)\//.exec(file) ?? [];
      const [, contract] = /^libs\/contracts\/src\/[\w-]+\/([\w-]+)\.\w+\.ts$/.exec(file) ?? [];
      const [, area] = /^apps\/console\/src\/area\/[\w-]+\/([\w-]+)\//.exec(file) ?? [];
      return service ?? contract ?? area ?? [];
    }),
  ),
];

/** Returns the browser tests of the changed nouns and those beside a changed file of the console. */
export function browserFilesOf(files: readonly string[]): string[] {
  const find = (pattern: string): string[] => globSync(pattern, { cwd: projectRoot });
  const ofNouns = nounsOf(files).flatMap((noun) => find(`apps/console/src/area/*/${noun}/*.e2e.ts`));
  const beside = files.filter((file) => file.startsWith('apps/console/src/')).map(dirname);
  return [...new Set([...ofNouns, ...beside.flatMap((folder) => find(`${folder}/*.e2e.ts`))])].toSorted();
}

const camelCase = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the parts of `./carillon test --changed`: lint, types, and the tests that the change can affect. */
export function changedParts(since: string | true): Record<string, TestPart> {
  const base = baseOf(since);
  const files = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  const isShared = files.some((file) => /^(libs\/|apps\/standalone\/)/.test(file));
  // The product tests import every service, so that every change would select them.
  const others = isShared ? [] : ['--exclude', 'apps/standalone/**'];
  const changed = ['--changed', base, '--passWithNoTests'];
  const browserFiles = browserFilesOf(files);
  const screens = nounsOf(files).map(camelCase).join('|');
  const walk = [
    'apps/console/src/screens.e2e.ts',
    'apps/console/src/screens-narrow.e2e.ts',
    '-t',
    `in one scheme and width > (?:${screens})`,
  ];
  return {
    lint: parts['lint']!,
    types: parts['types']!,
    unit: { ...parts['unit']!, commands: [[...vitest('unit'), ...changed]] },
    service: { ...parts['service']!, commands: [[...vitest('service'), ...changed, ...others]] },
    ...(browserFiles.length === 0 && screens === ''
      ? {}
      : {
          browser: {
            ...parts['browser']!,
            commands: [
              ...(browserFiles.length === 0 ? [] : [[...vitest('browser*'), ...browserFiles]]),
              ...(screens === '' ? [] : [[...vitest('browser'), ...walk]]),
            ],
          },
        }),
  };
}
