import { beforeEach, expect, it, vi } from 'vitest';
import type { TextKey } from './key.ts';
import { addTexts, hasText, startTexts, t } from './translate.ts';

const say = (key: string, values?: Record<string, string | number>) => t(key as TextKey, values);

beforeEach(() => {
  startTexts('pt-BR', {
    plain: 'Olá, {{name}}',
    many_one: '{{number}} dispositivo',
    many_many: '{{number}} de dispositivos',
    many_other: '{{number}} dispositivos',
  });
});

it('fills values in unchanged, also twice and with text that looks like a placeholder or pattern', () => {
  expect(say('plain', { name: 'Zoë' })).toBe('Olá, Zoë');
  expect(say('plain', { name: '{{number}} $& <b>' })).toBe('Olá, {{number}} $& <b>');
  expect(say('plain')).toBe('Olá, ');
});

it('uses the plural form of the language for a number', () => {
  const many = (count: number) => say('many', { count, number: count });
  expect([0, 1, 2, 1_000_000].map(many)).toEqual([
    '0 dispositivo',
    '1 dispositivo',
    '2 dispositivos',
    '1000000 de dispositivos',
  ]);
  startTexts('ko', { many_other: '장치 {{number}}대' });
  expect(many(1)).toBe('장치 1대');
});

it('keeps the first part when a later one is added, and reports a missing key on the console', () => {
  addTexts({ late: 'Depois' });
  expect([say('late'), hasText('plain'), hasText('late'), hasText('never')]).toEqual(['Depois', true, true, false]);
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(say('never')).toBe('never');
  expect(error).toHaveBeenCalledWith('Missing text: never');
  error.mockRestore();
});
