import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache-folder.ts';

const run = promisify(execFile);
const pom = join(import.meta.dirname, 'kafka.pom.xml');

/** Told as one sentence: the person at the terminal can mend it. */
export class KafkaUnavailable extends Error {}

/** A JVM for a broker of a test or a trial: quick to start, small. */
export const jvm = [
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
  '-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS',
];

export interface KafkaJars {
  /** Kept over runs and worktrees; named by the pom and the JVM. */
  folder: string;
  classPath: string;
  /** Holds the classes of a start, parsed: 1 s instead of 3 s of CPU. It is made by `archive`. */
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

/** Kafka's jars, fetched once. */
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
    // Made beside and moved: a download that was interrupted, or a second one at the same time, is never taken for the
    // whole.
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
  // An archive fits the very JVM and order of jars that it was made with.
  const archive = join(
    folder,
    `${createHash('sha256')
      .update([version, ...jvm].join())
      .digest('hex')
      .slice(0, 12)}.jsa`,
  );
  return { folder, classPath: jars.map((n) => join(folder, n)).join(':'), archive };
}
