import { errorCatalogue, placeholder, type ErrorKey } from './errors.ts';
import { awaitedErrors } from './errors.awaited.ts';
import { errorHelp } from './errors.help.ts';
import { languages } from './define/language.ts';
import type { ErrorEntry } from './define/error.ts';
import { nouns } from './nouns.ts';
import { allRoutes } from './routes.ts';

const titles: Record<string, string> = {
  ...Object.fromEntries(nouns.map(({ name, title }) => [name, title])),
  common: 'Of any call',
  auth: 'Login and session',
  org: 'Companies and organizations',
  device: 'Devices',
  task: 'Tasks',
  mail: 'Mail',
  user: 'Users',
  role: 'Roles',
  menu: 'Menus',
  link: 'Links and codes',
  channel: 'Channels',
  egs: 'Doors',
  diagnosis: 'Diagnosis',
  file: 'Files and imports',
  license: 'License',
  backup: 'Backup',
  time: 'Time zones',
  config: 'System configuration',
  companyKey: 'Keys of companies',
};

/** Returns a text in its plural form. */
const ofSeveral = (text: string) =>
  text.replace(placeholder, (whole, _name: string, _one?: string, several?: string) => several ?? whole);

/** Returns `docs/errors/README.md`: every message with its four texts, cause, cure and the calls that name it. */
export function errorPage(): string {
  const areas = Map.groupBy(Object.entries(errorCatalogue) as [ErrorKey, ErrorEntry][], ([key]) =>
    key.slice(0, key.indexOf('.')),
  );
  const callsOf = (key: ErrorKey) =>
    allRoutes.filter(({ route }) => (route.errors as readonly string[]).includes(key)).map(({ name }) => `\`${name}\``);
  const section = ([area, entries]: [string, [ErrorKey, ErrorEntry][]]) => [
    `## ${titles[area] ?? area}`,
    '',
    ...entries.flatMap(([key, entry]) => {
      const [cause, cure] = errorHelp[key] ?? [
        ofSeveral(entry.en_US),
        'Correct what the message names and send the call again.',
      ];
      const calls = callsOf(key);
      const awaited = awaitedErrors[key];
      return [
        `### ${key}`,
        '',
        `HTTP ${entry.status}.`,
        '',
        ...languages.map((l) => `- ${l}: ${ofSeveral(entry[l])}`),
        '',
        `Cause: ${cause}`,
        '',
        `Cure: ${cure}`,
        '',
        ...(awaited === undefined
          ? []
          : [`No call answers it yet: it comes with ${awaited} of docs/requirements.md.`, '']),
        ...(calls.length === 0 ? [] : [`Named by ${calls.join(', ')}.`, '']),
      ];
    }),
  ];
  return [
    '# Errors',
    '',
    '<!-- Written by `./carillon write` from the catalogue in libs/contracts. -->',
    '',
    'A failed call answers with `error` (a key of this page), `msg` in the language of the header `carillon-language`, `code`, `requestId`, and where fields are at fault `data.fields` with a key and a text for each. The token call answers flat, with `error_description`.',
    '',
    ...[...areas].flatMap(section),
  ].join('\n');
}
