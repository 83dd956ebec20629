import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { variableName } from '@carillon/service/config';
import { projectRoot } from './cli/data-folder.ts';
import { composeContainers, processes, secrets, wrongSettings } from './testing/deployment.ts';

const text = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

describe('one set of settings for the processes, compose and the chart [OPS-01/settings]', () => {
  it('compose starts every process of the product and gives each what it reads, nothing that nobody reads and no secret of its own making', () => {
    const containers = composeContainers();
    expect([...new Set(containers.map((c) => c.process))].toSorted()).toEqual(
      [...Object.keys(processes), 'simulator'].toSorted(),
    );
    expect(
      containers.filter((c) => c.process !== 'simulator').flatMap((c) => wrongSettings(c.process, c.environment)),
    ).toEqual([]);
    // No secret stands in the file: all of them come from outside.
    for (const [name, value] of Object.entries(secrets).filter(([key]) => /PASSWORD|KEY|SECRET|PEPPER/.test(key))) {
      expect(text('deploy/compose.yaml'), name).not.toContain(value);
      expect(
        text('deploy/compose.yaml').match(new RegExp(`\\$\\{${name}:-`)),
        `${name} has a value to fall back to`,
      ).toBeNull();
    }
  });

  it('a setting that a service begins to demand is missed at once', () => {
    const { environment } = composeContainers().find((c) => c.process === 'org')!;
    expect(wrongSettings('org', environment)).toEqual([]);
    const { CARILLON_CONTEXT_KEY: _, ...without } = environment;
    expect(wrongSettings('org', without)).toEqual([expect.stringContaining('CARILLON_CONTEXT_KEY')]);
    expect(wrongSettings('org', { ...environment, CARILLON_LOG_LEVLE: 'info' })).toEqual([
      'org: CARILLON_LOG_LEVLE is read by nobody',
    ]);
  });

  it('the chart knows every setting that a process cannot do without, and names none that there is not', () => {
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
      // The template makes these of the names of the databases.
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

  it('the chart carries the alerts and the dashboard of deploy/observability', () => {
    expect(text('helm/carillon/files/alerts.yml')).toBe(text('deploy/observability/alerts.yml'));
    expect(text('helm/carillon/files/dashboard.json')).toBe(text('deploy/observability/dashboards/carillon.json'));
  });
});
