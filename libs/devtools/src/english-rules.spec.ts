import { expect, it } from 'vitest';
import { codeFailures, documentFailures, maxTitle } from './english-rules.ts';

const failuresOf = (source: string): string[] => codeFailures('a.ts', source);

it.each([
  ['// Reads it anew.', '"anew" is again'],
  ['/** Tells whoever asks. */', '"whoever" is the user, the caller, anyone who'],
  ['// Somebody else may have it.', '"Somebody" is someone, anyone, everyone'],
  ['// The user and his session.', '"his" is they, them, their'],
  ['/** Devices of before have none. */', '"of before" is earlier, before the change'],
  ['/** Of an item, in pixels. */', 'a comment begins with its subject, not with "Of"'],
])('refuses %s', (comment, failure) => {
  expect(failuresOf(`a();\n${comment}\nb();\n`)).toEqual([`a.ts:2: ${failure}`]);
});

it('refuses a word in a title of every way to write one', () => {
  for (const call of ['it', 'test.only', 'describe.each([1])', 'it.for([1])'])
    expect(failuresOf(`${call}('is read anew', () => {});`)).toEqual(['a.ts:1: "anew" is again']);
  expect(failuresOf('it(`is read ${when} anew`, () => {});')).toEqual(['a.ts:1: "anew" is again']);
});

it('refuses a title over 100 characters', () => {
  expect(failuresOf(`it('${'a'.repeat(maxTitle)}', f);`)).toEqual([]);
  expect(failuresOf(`it('${'a'.repeat(maxTitle + 1)}', f);`)).toEqual(['a.ts:1: a title of 101 characters']);
});

it('refuses a variable, function, method or parameter named "of"', () => {
  for (const code of [
    'const of = 1;',
    'function of() {}',
    'a((of) => b);',
    'class A { of() {} }',
    'for (const of of a);',
  ])
    expect(failuresOf(code), code).toEqual(['a.ts:1: a definition is named "of"']);
  for (const code of ['a.of(b);', 'const a = { of: 1 };', 'for (const a of b);'])
    expect(failuresOf(code), code).toEqual([]);
});

it('accepts the words in code, in strings and in quotations of documents', () => {
  expect(failuresOf("const his = 'anew'; // ok")).toEqual([]);
  expect(documentFailures('a.md', 'The word `anew`.\nThe history of this and of her.')).toEqual([]);
  expect(documentFailures('a.md', 'One.\nIt begins anew.')).toEqual(['a.md:2: "anew" is again']);
});
