import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { variableName } from '@carillon/service/config';
import { projectRoot } from './cli/data-folder.ts';
import { composeContainers, processes, secrets, wrongSettings } from './testing/deployment.ts';

const text = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

describe('one set of settings for the processes, compose and the chart [OPS-01/settings]', () => {
  it('compose starts every process with exactly the settings that it reads and without built-in secrets', () => {
    const containers = composeContainers();
    expect([...new Set(containers.map((c) => c.process))].toSorted()).toEqual(
      [...Object.keys(processes), 'simulator'].toSorted(),
    );
    expect(
      containers.filter((c) => c.process !== 'simulator').flatMap((c) => wrongSettings(c.process, c.environment)),
    ).toEqual([]);
    // All secrets come from outside the file.
    for (const [name, value] of Object.entries(secrets).filter(([key]) => /PASSWORD|KEY|SECRET|PEPPER/.test(key))) {
      expect(text('deploy/compose.yaml'), name).not.toContain(value);
      expect(
        text('deploy/compose.yaml').match(new RegExp(`\\$\\{${name}:-`)),
        `${name} has a value to fall back to`,
      ).toBeNull();
    }
  });

  it('a newly required setting is reported as missing', () => {
    const { environment } = composeContainers().find((c) => c.process === 'org')!;
    expect(wrongSettings('org', environment)).toEqual([]);
    const { CARILLON_CONTEXT_KEY: _, ...without } = environment;
    expect(wrongSettings('org', without)).toEqual([expect.stringContaining('CARILLON_CONTEXT_KEY')]);
    expect(wrongSettings('org', { ...environment, CARILLON_LOG_LEVLE: 'info' })).toEqual([
      'org: CARILLON_LOG_LEVLE is read by nobody',
    ]);
  });

  it('the chart knows every required setting and names no unknown one', () => {
    const templates = readdirSync(join(projectRoot, 'helm/carillon/templates'))
      .map((name) => (name.includes('.') ? text(`helm/carillon/templates/${name}`) : ''))
      .join('\n');
    const named = new Set(templates.match(/\bCARILLON_[A-Z_]+[A-Z]\b/g));
    const demanded = Object.values(processes)
      .flat()
      .flatMap((shape) =>
        Object.entries(shape.shape)
          .filter(([, schema]) => !(schema as z.ZodType).safeParse(undefined).success)
          .map(([key]) => variableName(key)),
      )
      // The template derives these from the database names.
      .filter((name) => !/^CARILLON_[A-Z]+_(DATABASE|OWNER)_PASSWORD$/.test(name));
    expect(demanded.filter((name) => !named.has(name))).toEqual([]);
    const known = new Set([
      ...Object.values(processes)
        .flat()
        .flatMap((shape) => Object.keys(shape.shape).map(variableName)),
      ...Object.keys(secrets),
    ]);
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });

  it("one command pins every image's digest in deploy/.env and fails when a container runs another", () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-pin-'));
    try {
      mkdirSync(join(folder, 'deploy'));
      for (const name of ['Dockerfile', 'deploy/compose.yaml', 'deploy/pin.sh'])
        cpSync(join(projectRoot, name), join(folder, name));
      const env = join(folder, 'deploy/.env');
      writeFileSync(env, 'CARILLON_TOKEN_KEY=kept\nCARILLON_REDIS_DIGEST=@sha256:old\n', { mode: 0o600 });
      // A fake program stands in for the registry and the engine.
      const runs = join(folder, 'runs');
      writeFileSync(runs, '');
      writeFileSync(
        join(folder, 'docker'),
        `#!/bin/sh
case "$1 $2" in
  'buildx imagetools') printf 'sha256:%s' "$(printf %s "$4" | sha256sum | cut -c1-64)" ;;
  'compose config') echo carillon:latest; . ./.env; echo "redis:8-bookworm$CARILLON_REDIS_DIGEST" ;;
  'compose ps') [ -s ${runs} ] && echo one ;;
  inspect*) cat ${runs} ;;
esac
`,
        { mode: 0o755 },
      );
      const pin = (...args: string[]) =>
        spawnSync('sh', [join(folder, 'deploy/pin.sh'), ...args], {
          encoding: 'utf8',
          env: { PATH: `${folder}:${process.env['PATH']}` },
        });
      expect(pin('--check')).toMatchObject({ status: 1, stderr: expect.stringContaining('is not pinned') as string });
      expect(pin()).toMatchObject({ status: 0, stderr: '' });
      const digestOf = (image: string): string => `@sha256:${createHash('sha256').update(image).digest('hex')}`;
      const pinned = parseEnv(readFileSync(env, 'utf8'));
      expect([pinned['CARILLON_TOKEN_KEY'], statSync(env).mode & 0o777]).toEqual(['kept', 0o600]);
      const places = [
        ...text('deploy/compose.yaml').matchAll(/image: (\S+?)(\$\{(\w+):-\})?$/gm),
        ...text('Dockerfile').matchAll(/^FROM (\S+?)(\$\{(\w+)\})?(?: AS \w+)?$/gm),
      ].filter(([, image]) => !image!.includes('CARILLON_IMAGE'));
      expect(places.length).toBeGreaterThan(8);
      for (const [, image, , name] of places)
        expect([image, pinned[name!]], `${image} has no place for its digest`).toEqual([image, digestOf(image!)]);
      writeFileSync(runs, `redis:8-bookworm${pinned['CARILLON_REDIS_DIGEST']}`);
      expect(pin('--check')).toMatchObject({ status: 0, stderr: '' });
      writeFileSync(runs, 'redis:8-bookworm');
      expect(pin('--check')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('is not what is pinned') as string,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('the chart carries the alerts and the dashboard of deploy/observability', () => {
    expect(text('helm/carillon/files/alerts.yml')).toBe(text('deploy/observability/alerts.yml'));
    expect(text('helm/carillon/files/dashboard.json')).toBe(text('deploy/observability/dashboards/carillon.json'));
  });
});
