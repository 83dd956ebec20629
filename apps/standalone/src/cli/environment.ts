import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { newBrokerCertificate, withinPem, type BrokerCertificate } from '@carillon/devtools/kafka-certificate';
import { variableName } from '@carillon/service/config';
import {
  databaseNames,
  kafkaPasswordKey,
  kafkaPasswordNames,
  newSecrets,
  projectRoot,
  type Secrets,
} from './data-folder.ts';
import { Trouble } from './trouble.ts';

/**
 * Returns the secrets of an installation under the variable names that compose (`.env`) and Kubernetes (a Secret) use.
 */
export function secretVariables(secrets: Secrets, kafka: BrokerCertificate): Record<string, string> {
  const passwords = databaseNames.flatMap(
    (name) =>
      [
        [`${name}DatabasePassword`, secrets.databases[name]!.app],
        [`${name}OwnerPassword`, secrets.databases[name]!.owner],
      ] as const,
  );
  const logins = kafkaPasswordNames.map((name) => [kafkaPasswordKey(name), secrets.kafka[name]] as const);
  const all: Record<string, string> = {
    postgresPassword: secrets.postgres,
    ...Object.fromEntries(passwords),
    redisPassword: secrets.redis,
    ...Object.fromEntries(logins),
    kafkaCertificate: withinPem(kafka.certificate),
    kafkaKey: withinPem(kafka.key),
    contextKey: secrets.contextKey,
    tokenKey: secrets.tokenKey,
    passwordPepper: secrets.pepper,
    mailKey: secrets.mailKey,
    dataKey: secrets.dataKey,
    signingKey: secrets.signingKey,
    clientId: secrets.client.id,
    clientSecret: secrets.client.secret,
    adminName: secrets.admin.username,
    adminPassword: secrets.admin.password,
    viewerPassword: secrets.viewerPassword,
    companyId: secrets.companyId,
    orgId: secrets.orgId,
  };
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [variableName(key), value]));
}

/** Host names of compose's brokers, for containers and for programs on the same machine. */
const brokerHosts = ['kafka', 'localhost', '127.0.0.1'];

/** Returns the variables of a new installation. */
export const newVariables = async (): Promise<Record<string, string>> =>
  secretVariables(newSecrets(uuidv7), await newBrokerCertificate(brokerHosts));

/** Returns the text of a file for compose and for `kubectl create secret generic carillon --from-env-file`. */
export async function environmentText(): Promise<string> {
  const variables = Object.entries(await newVariables()).map(([name, value]) => `${name}=${value}`);
  return [
    '# The secrets of one installation. They open everything; without them its data is lost. Keep a copy in a safe place.',
    ...variables,
    '',
  ].join('\n');
}

/** Runs `./carillon env`: creates the file once and never overwrites it. */
export async function env(file: string | undefined, options: { add?: boolean } = {}): Promise<void> {
  const path = file === undefined ? join(projectRoot, 'deploy/.env') : resolve(file);
  if (options.add) return add(path);
  if (existsSync(path))
    throw new Trouble(
      `${path} is there already and is not written over: an installation does not outlive its secrets. --add adds what this version needs beside them.`,
    );
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, await environmentText(), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  process.stdout.write(`made ${path}\n`);
}

/** A key and its certificate are added together or not at all. */
const pair = ['kafkaCertificate', 'kafkaKey'].map(variableName);

/** Adds the secrets that an older file lacks and leaves the others unchanged. */
async function add(path: string): Promise<void> {
  if (!existsSync(path)) throw new Trouble(`${path} is not there; without --add it is made.`);
  const text = readFileSync(path, 'utf8');
  const there = parseEnv(text);
  const missing = Object.entries(await newVariables()).filter(([name]) => !there[name]);
  const half = pair.filter((name) => there[name]);
  if (half.length === 1) throw new Trouble(`${path} has ${half[0]} alone; take it out, and both are made.`);
  const lines = missing.map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(`${path}.new`, text.replace(/\n?$/, '\n') + lines.join(''), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  process.stdout.write(`added ${missing.map(([name]) => name).join(', ') || 'nothing'} to ${path}\n`);
}
