import { expect, test } from 'vitest';
import { missingParts, passwordFault } from './password.ts';

test.each([
  'P@ssw0rd',
  'P@ssw0rd123!',
  'Passw0rd!2024',
  'Admin@123',
  'Admin123!',
  'Adm1n1strat0r!',
  'Qwerty123!',
  'Qwertz!23456',
  'Welcome1!',
  'W3lc0me2026#',
  'Summer2025!',
  'Abc@12345',
  'Aa123456!',
  '!QAZ2wsx',
  '1qaz@WSX',
  'Zaq12wsx!',
  'Test@1234',
  'Changeme1!',
  'ChangeMe!2026',
  'Letmein1!',
  'Iloveyou1!',
  'Aaaaaaa1!',
  'Password!Password1',
  'Football#1',
  'Senha@123',
  'Korea2024!',
])('the password %s is too common', (text) => {
  expect(passwordFault(text)).toBe('auth.passwordCommon');
});

test.each([
  'Right-Secret-1',
  'Aa1-5678',
  'xK9#mQ2$vT',
  'Trombone!7kites',
  'My-own-password-1',
  'Ölberg#77taube',
  '서울Tower#42길',
])('accepts the password %s', (text) => {
  expect(missingParts(text)).toEqual([]);
});

test.each([
  ['Anna.Bell-77x', ['anna.bell'], 'login name'],
  ['xx-4nn4b3ll#Q', ['Anna.Bell'], 'login name in digits'],
  ['Ringing-Carla9', ['carla@example.com'], 'email'],
  ['Acme-Ltd.#2x', ['Acme Ltd.'], 'company'],
  ['My-Carill0n#5', [], 'product'],
  ['Ａnna.Bell-77x', ['anna.bell'], 'login name in full width'],
])('the password %s is refused for the names %j: the %s stands in it', (text, names) => {
  expect(passwordFault(text, names)).toBe('auth.passwordUnlike');
});

test('missing names, names of two letters and unrelated names forbid nothing', () => {
  expect(missingParts('Ringing-Trees9', ['', null, undefined, 'in', 'carla@ringing.example'])).toEqual([]);
});

test('reports a missing part of the rule before other faults', () => {
  expect([passwordFault('password'), passwordFault(''), missingParts('')[0]]).toEqual([
    'auth.passwordRule',
    'auth.passwordRule',
    'length',
  ]);
});

test('checks a text of the maximum length without delay', () => {
  const started = performance.now();
  for (const text of ['a1!A'.repeat(32), 'qwerty'.repeat(21), '1'.repeat(128), 'Passw0rd!'.repeat(14)])
    missingParts(text);
  expect(performance.now() - started).toBeLessThan(200);
});
