import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
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
 * The secrets of an installation under the names by which compose (`.env`) and Kubernetes (a Secret) hand them to the
 * processes.
 */
export function secretVariables(secrets: Secrets): Record<string, string> {
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
    contextKey: secrets.contextKey,
    tokenKey: secrets.tokenKey,
    passwordPepper: secrets.pepper,
    mailKey: secrets.mailKey,
    dataKey: secrets.dataKey,
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

/** A file for compose, and for `kubectl create secret generic carillon --from-env-file`. */
export function environmentText(secrets: Secrets = newSecrets(uuidv7)): string {
  const variables = Object.entries(secretVariables(secrets)).map(([name, value]) => `${name}=${value}`);
  return [
    '# The secrets of one installation. Whoever has them has everything; without them its data is lost. Keep a copy in a safe place.',
    ...variables,
    '',
  ].join('\n');
}

/** `./carillon env`: made once, never written over. */
export function env(file: string | undefined): void {
  const path = file === undefined ? join(projectRoot, 'deploy/.env') : resolve(file);
  if (existsSync(path))
    throw new Trouble(
      `${path} is there already and is not written over: an installation does not outlive its secrets.`,
    );
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, environmentText(), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  process.stdout.write(`made ${path}\n`);
}
