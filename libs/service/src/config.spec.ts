import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { expect, it } from 'vitest';
import { defineConfig, printConfig, readConfig, secretKey, secretText, whole } from './config.ts';

const shape = defineConfig({
  mqttPort: whole(1883, 0, 65_535).describe('Port for devices.'),
  someKey: secretKey().describe('Key of something.'),
  somePassword: secretText().optional().describe('Password of somebody.'),
  host: z.string().describe('Where it is.'),
});

it('a setting comes from the variable of its name, and a wrong one is named', () => {
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

it('a setting without a sentence is refused where it is declared', () => {
  expect(() => defineConfig({ silent: z.string() })).toThrow('the setting silent has no sentence');
});

it('printing the settings tells each variable with its sentence, what is missing, and no secret', () => {
  const [key, password] = [randomBytes(32).toString('base64url'), 'correct horse'];
  const printed = printConfig([shape], { CARILLON_SOME_KEY: key, CARILLON_SOME_PASSWORD: password });
  expect(printed).toBe(
    [
      '# Port for devices.',
      'CARILLON_MQTT_PORT=1883',
      '# Key of something.',
      'CARILLON_SOME_KEY=(hidden)',
      '# Password of somebody.',
      'CARILLON_SOME_PASSWORD=(hidden)',
      '# Where it is.',
      'CARILLON_HOST=  (needed)',
      '',
    ].join('\n'),
  );
  expect(printConfig([shape], { CARILLON_SOME_KEY: 'weak-but-secret' })).not.toContain('weak-but-secret');
});
