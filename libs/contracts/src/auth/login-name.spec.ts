import { expect, test } from 'vitest';
import { loginNameFault, toLoginName } from './login-name.ts';

test.each([
  'anna.b',
  'Anna-B_7',
  'müller',
  'Zoë',
  '王小明',
  '김철수',
  'wang小明',
  'анна',
  'αννα',
  'דנה',
  'अनिता',
  'a+b!',
])('accepts the login name %s', (name) => {
  expect(loginNameFault(toLoginName(name))).toBeUndefined();
});

test.each([
  ['a zero width space', 'an\u200bna', 'user.nameHidden'],
  ['a joiner', 'an\u200dna', 'user.nameHidden'],
  ['a mark of direction', 'anna\u202e', 'user.nameHidden'],
  ['a soft hyphen', 'an\u00adna', 'user.nameHidden'],
  ['a control character', 'an\u0007na', 'user.nameHidden'],
  ['a filler that is a letter', 'anna\u3164', 'user.nameHidden'],
  ['a variation selector', 'anna\ufe0f', 'user.nameHidden'],
  ['a letter of mathematics', '\u{1d41a}nna', 'user.nameFormat'],
  ['a ligature', 'ﬁona', 'user.nameFormat'],
  ['an emoji', 'anna😀', 'user.nameFormat'],
  ['a mark without a letter', '\u0301anna', 'user.nameFormat'],
  ['a blank', 'an na', 'user.nameFormat'],
  ['a Cyrillic letter among Latin ones', 'аdmin', 'user.nameMixed'],
  ['a Greek letter among Latin ones', 'αdmin', 'user.nameMixed'],
  ['Cyrillic and Greek letters', 'анναа', 'user.nameMixed'],
  ['Hebrew and Latin letters', 'dנnה', 'user.nameMixed'],
])('a login name with %s is refused', (_, name, fault) => {
  expect(loginNameFault(toLoginName(name))).toBe(fault);
});

test('converts full-width, half-width and decomposed forms to plain letters', () => {
  expect(['Ａｎｎａ', 'ｱﾆﾒ', 'Zoe\u0308'].map(toLoginName)).toEqual(['Anna', 'アニメ', 'Zoë']);
});
