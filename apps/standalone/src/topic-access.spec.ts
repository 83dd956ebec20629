import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as contracts from '@carillon/contracts';
import { services } from '@carillon/contracts/services';
import { allTopics } from '@carillon/contracts/topics';
import { kafkaUsers } from '@carillon/service/bus-access';
import { projectRoot } from './cli/data-folder.ts';

const sources = (service: string): string =>
  globSync(`apps/${service}/src/**/*.ts`, { cwd: projectRoot })
    .filter((file) => !/\.(it|spec|bench)\.ts$|-test\.ts$|\/testing\/|\/bench\//.test(file))
    .map((file) => readFileSync(join(projectRoot, file), 'utf8'))
    .join('\n');
const named = (constant: string): string => (contracts as unknown as Record<string, { name: string }>)[constant]!.name;

/** Returns the topics that a service's code handles (`@On`) or reads as a feed (`fanout`, `publishedVersions`). */
function readIn(code: string): string[] {
  const handled = [...code.matchAll(/@On\(\s*(\w+)/g)].map(([, constant]) => named(constant!));
  const feeds = [...code.matchAll(/\btopics: \[([^\]]*)\]/g)].flatMap(([, list]) =>
    [...list!.matchAll(/(\w+)\.name/g)].map(([, constant]) => named(constant!)),
  );
  const compared = [...code.matchAll(/\bpublishedVersions\(this\.bus, (\w+)\)/g)].map(([, constant]) =>
    named(constant!),
  );
  return [...new Set([...handled, ...feeds, ...compared])].toSorted();
}

it.each(services)('%s reads exactly the topics that declare it as their reader', (service) => {
  const declared = allTopics.filter(({ readers }) => readers.includes(service)).map(({ name }) => name);
  expect(readIn(sources(service))).toEqual(declared.toSorted());
});

it('every topic has a writer and a reader, and a user writes only declared topics', () => {
  for (const { name, writers, readers } of allTopics) {
    expect(writers.length, name).toBeGreaterThan(0);
    expect(readers.length, name).toBeGreaterThan(0);
  }
  const users = kafkaUsers((service) => `of-${service}`);
  const writersOf = (topic: string): string[] => users.filter((u) => u.writes.includes(topic)).map((u) => u.name);
  expect(writersOf('auth.access.v1')).toEqual(['carillon_auth']);
  expect(writersOf('device.credential.v1')).toEqual(['carillon_device']);
  expect(writersOf('link.command.v1')).toEqual(['carillon_device', 'carillon_task']);
  expect(writersOf('audit.v1')).toHaveLength(services.length);
  expect(users.flatMap((u) => u.groups)).toEqual([
    'auth',
    'org',
    'device',
    'provisioning',
    'resource',
    'task',
    'notification',
  ]);
});
