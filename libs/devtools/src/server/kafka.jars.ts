import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache-folder.ts';

const run = promisify(execFile);
const pom = join(import.meta.dirname, 'kafka.pom.xml');

/** An error with one sentence that tells the user what to install. */
export class KafkaUnavailable extends Error {}

/** JVM options of a small broker for tests: quick to start. */
export const jvm = [
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
  '-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS',
];

export interface KafkaJars {
  /** Shared by runs and worktrees; the pom and the JVM give its name. */
  folder: string;
  classPath: string;
  /** Class data archive: a start takes 1 s of CPU instead of 3 s. `archive` creates it. */
  archive: string;
}

async function javaVersion(): Promise<string> {
  try {
    return (await run('java', ['-version'])).stderr;
  } catch {
    throw new KafkaUnavailable(
      'Kafka needs Java 17 or newer, which is not here (Debian: apt-get install default-jre-headless maven).',
    );
  }
}

function ownCache(): { folder: string; home: boolean } {
  try {
    return cacheFolder();
  } catch (error) {
    throw new KafkaUnavailable((error as Error).message);
  }
}

async function fetchInto(folder: string, home: boolean): Promise<void> {
  try {
    await run(
      'mvn',
      [
        '-B',
        '-ntp',
        '-q',
        '-f',
        pom,
        ...(home ? [] : [`-Dmaven.repo.local=${join(folder, '.m2')}`]),
        'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies',
        '-DincludeScope=runtime',
        `-DoutputDirectory=${folder}`,
      ],
      { maxBuffer: 16_777_216 },
    );
  } catch (error) {
    const { code, stdout } = error as { code?: string | number; stdout?: string };
    if (code === 'ENOENT')
      throw new KafkaUnavailable('Kafka is fetched by Maven, which is not here (Debian: apt-get install maven).');
    throw new KafkaUnavailable(
      `Maven could not fetch Kafka: ${
        stdout
          ?.split('\n')
          .find((l) => l.includes('ERROR'))
          ?.trim() ?? String(error)
      }`,
    );
  }
}

let known: Promise<KafkaJars> | undefined;

/** Returns Kafka's jars, downloaded once. */
export function kafkaJars(): Promise<KafkaJars> {
  return (known ??= findJars().catch((error: unknown) => {
    known = undefined;
    throw error;
  }));
}

export async function findJars(): Promise<KafkaJars> {
  const version = await javaVersion();
  if (Number(/version "(\d+)/.exec(version)?.[1]) < 17)
    throw new KafkaUnavailable(`Kafka needs Java 17 or newer; here is ${version.split('\n')[0]}.`);
  const name = createHash('sha256')
    .update(await readFile(pom))
    .digest('hex')
    .slice(0, 12);
  const { folder: cache, home } = ownCache();
  const folder = join(cache, `kafka-${name}`);
  if (!existsSync(join(folder, 'complete'))) {
    // Downloaded under another name and renamed, so that interrupted or parallel downloads do no harm.
    const fresh = await mkdtemp(join(cache, 'kafka.new-'));
    try {
      await fetchInto(fresh, home);
      await rm(join(fresh, '.m2'), { recursive: true, force: true });
      await writeFile(join(fresh, 'complete'), '');
      await rename(fresh, folder).catch((error: unknown) => {
        if (!existsSync(join(folder, 'complete'))) throw error;
      });
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }
  const jars = (await readdir(folder)).filter((n) => n.endsWith('.jar')).sort();
  // An archive fits only the JVM and the order of jars that it was made with.
  const archive = join(
    folder,
    `${createHash('sha256')
      .update([version, ...jvm].join())
      .digest('hex')
      .slice(0, 12)}.jsa`,
  );
  return { folder, classPath: jars.map((n) => join(folder, n)).join(':'), archive };
}
