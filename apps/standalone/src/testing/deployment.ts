import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { z } from 'zod';
import { authService } from '@carillon/auth/module';
import { deviceService } from '@carillon/device/module';
import { gatewayService } from '@carillon/gateway/module';
import { licenseService } from '@carillon/license/module';
import { mqttGatewayService } from '@carillon/mqtt-gateway/module';
import { notificationService } from '@carillon/notification/module';
import { orgService } from '@carillon/org/module';
import { provisioningService } from '@carillon/provisioning/module';
import { resourceService } from '@carillon/resource/module';
import { processConfig, readConfig, redisConfig, variableName } from '@carillon/service';
import { taskService } from '@carillon/task/module';
import { projectRoot } from '../cli/data-folder.ts';
import { newVariables } from '../cli/environment.ts';
import { installConfig, installSecrets } from '../config.ts';

type Shape = z.ZodObject;
type Environment = Record<string, string>;

/**
 * Every process that the image can run, with the settings that it reads. A process of a cluster requires Redis, which
 * is otherwise optional.
 */
export const processes: Readonly<Record<string, readonly Shape[]>> = {
  ...Object.fromEntries(
    [
      authService,
      orgService,
      deviceService,
      provisioningService,
      resourceService,
      taskService,
      notificationService,
      licenseService,
      gatewayService,
      mqttGatewayService,
    ].map((definition) => [
      definition.name,
      [processConfig, redisConfig.required({ redisUrl: true }), definition.config as Shape],
    ]),
  ),
  install: [installConfig, installSecrets],
};

/** Environment that the image and its start script set. */
const imageEnvironment: Environment = {
  ...Object.fromEntries(
    [...readFileSync(join(projectRoot, 'Dockerfile'), 'utf8').matchAll(/\b(CARILLON_[A-Z_]+)=(\S+)/g)].map((m) => [
      m[1]!,
      m[2]!,
    ]),
  ),
  CARILLON_NAME: 'process-1',
};

/** A new installation's secrets, by name. */
export const secrets: Environment = await newVariables();

/** Returns what is wrong with a container's settings: missing, invalid, or read by no process. */
export function wrongSettings(process: string, given: Environment): string[] {
  const shapes = processes[process]!;
  const environment = { ...imageEnvironment, ...given };
  const known = new Set(shapes.flatMap((shape) => Object.keys(shape.shape).map(variableName)));
  const wrong = shapes.flatMap((shape) => {
    try {
      readConfig(shape, {}, environment);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
  // The schema has an optional password, because PostgreSQL may ask for none. Here every service needs it.
  if (
    known.has('CARILLON_DATABASE_PASSWORD') &&
    !['gateway', 'mqtt-gateway'].includes(process) &&
    !environment['CARILLON_DATABASE_PASSWORD']
  )
    wrong.push('CARILLON_DATABASE_PASSWORD is missing');
  return [
    ...wrong,
    ...Object.keys(given)
      .filter((name) => name.startsWith('CARILLON_') && !known.has(name))
      .map((name) => `${name} is read by nobody`),
  ].map((what) => `${process}: ${what}`);
}

/** Interpolates `${NAME}`, `${NAME:-else}`, `${NAME:?why}` and `$$` like compose. */
const interpolated = (text: string): string =>
  text.replaceAll(
    /\$\$|\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}/g,
    (all, name: string | undefined, kind: string | undefined, rest: string | undefined) => {
      if (name === undefined) return all === '$$' ? '$' : all;
      const value = secrets[name];
      if (value !== undefined && value !== '') return value;
      if (kind !== '-') throw new Error(`${name} is not among what ./carillon env makes`);
      return rest!;
    },
  );

export interface Container {
  name: string;
  process: string;
  environment: Environment;
}

/** Returns the containers of deploy/compose.yaml that run the product. */
export function composeContainers(): Container[] {
  const { services } = parse(readFileSync(join(projectRoot, 'deploy/compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, { image: string; command?: string[]; environment?: Record<string, string | number> }>;
  };
  return Object.entries(services)
    .filter(([, { image }]) => image.includes('CARILLON_IMAGE'))
    .map(([name, { command, environment }]) => ({
      name,
      process: command![0]!,
      environment: Object.fromEntries(
        Object.entries(environment ?? {}).map(([key, value]) => [key, interpolated(String(value))]),
      ),
    }));
}

interface Rendered {
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: Record<string, unknown> & { template?: { spec: PodSpec } };
}
interface PodSpec {
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext: Record<string, unknown>;
  containers: {
    name: string;
    args: string[];
    env: {
      name: string;
      value?: string;
      valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } };
    }[];
    securityContext: Record<string, unknown>;
    readinessProbe?: object;
    livenessProbe?: object;
    resources: object;
    lifecycle?: object;
  }[];
}

export const rendered = (text: string): Rendered[] =>
  parseAllDocuments(text)
    .map((d) => d.toJS() as Rendered | null)
    .filter((d): d is Rendered => d !== null && typeof d === 'object' && 'kind' in d);

/** Returns the containers of a rendered chart, with the values of the Secret. */
export function chartContainers(documents: readonly Rendered[]): Container[] {
  return documents.flatMap(({ metadata, spec }) =>
    (spec?.template?.spec.containers ?? []).map(({ args, env }) => {
      const environment: Environment = {};
      for (const { name, value, valueFrom } of env) {
        const { key, optional } = valueFrom?.secretKeyRef ?? {};
        // Optional keys that only an operator adds to the Secret.
        if (key !== undefined && secrets[key] === undefined && optional) {
          environment[name] = '';
          continue;
        }
        if (key !== undefined && secrets[key] === undefined)
          throw new Error(`${metadata.name}: ${key} is not among what ./carillon env makes`);
        environment[name] =
          key === undefined
            ? (value ?? 'from-the-pod').replaceAll(/\$\(([A-Z_]+)\)/g, (_, name: string) => environment[name]!)
            : secrets[key]!;
      }
      return { name: metadata.name, process: args[0]!, environment };
    }),
  );
}
