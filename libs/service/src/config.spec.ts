import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { expect, it } from 'vitest';
import { defineConfig, printConfig, readConfig, secretKey, secretText, whole } from './config.ts';

const shape = defineConfig({
  mqttPort: whole(1883, 0, 65_535).describe('Port for devices.'),
  someKey: secretKey().describe('Key of something.'),
  somePassword: secretText().optional().describe('Password of someone.'),
  host: z.string().describe('Where it is.'),
});

it('a setting comes from the variable of its name, and an invalid one is named', () => {
  const key = randomBytes(32).toString('base64url');
  expect(readConfig(shape, {}, { CARILLON_MQTT_PORT: '18', CARILLON_SOME_KEY: key, CARILLON_HOST: 'here' })).toEqual({
    mqttPort: 18,
    someKey: Buffer.from(key, 'base64url'),
    host: 'here',
  });
  expect(() =>
    readConfig(shape, {}, { CARILLON_MQTT_PORT: 'x', CARILLON_SOME_KEY: 'AAAA', CARILLON_HOST: 'here' }),
  ).toThrow(/CARILLON_MQTT_PORT: .*; CARILLON_SOME_KEY: must be 32 random bytes/);
});

it('refuses to declare a setting without a description', () => {
  expect(() => defineConfig({ silent: z.string() })).toThrow('the setting silent has no sentence');
});

it('prints each variable with its description, names missing ones and hides secrets', () => {
  const [key, password] = [randomBytes(32).toString('base64url'), 'correct horse'];
  const printed = printConfig([shape], { CARILLON_SOME_KEY: key, CARILLON_SOME_PASSWORD: password });
  expect(printed).toBe(
    [
      '# Port for devices.',
      'CARILLON_MQTT_PORT=1883',
      '# Key of something.',
      'CARILLON_SOME_KEY=(hidden)',
      '# Password of someone.',
      'CARILLON_SOME_PASSWORD=(hidden)',
      '# Where it is.',
      'CARILLON_HOST=  (needed)',
      '',
    ].join('\n'),
  );
  expect(printConfig([shape], { CARILLON_SOME_KEY: 'weak-but-secret' })).not.toContain('weak-but-secret');
});
