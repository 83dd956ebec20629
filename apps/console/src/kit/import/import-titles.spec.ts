import { expect, test } from 'vitest';
import {
  channelOrderImport,
  deviceImport,
  languages,
  sipAccountImport,
  sipServerImport,
  type Text,
} from '@carillon/contracts';
import { allTexts } from '../../texts.ts';

/** An exported list can be imported again: its headers are the console's titles. */
test.each([
  ['sipServer', sipServerImport],
  ['sipAccount', sipAccountImport],
  ['device', deviceImport],
  ['channelOrder', channelOrderImport],
] as const)('columns of an import of %s have the titles of its list, in each language', (noun, fields) => {
  for (const language of languages) {
    const texts = allTexts(language);
    for (const [key, { title, ...field }] of Object.entries(fields)) {
      // A list contains no secret of a device.
      if (noun === 'device' && key === 'secret') continue;
      expect([language, key, title[language]]).toEqual([language, key, texts[`${noun}.${key}`]]);
      if ('saysNothing' in field)
        expect((field.saysNothing as Text[]).map((text) => text[language])).toEqual([
          texts['sipAccount.passwordSet'],
          texts['sipAccount.passwordNone'],
        ]);
    }
  }
});
