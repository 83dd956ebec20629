import { expect, test } from 'vitest';
import { namesOf, namesText } from './export.ts';

test('names of a cell are read again as they were written, and never as the mark that clears a cell', () => {
  for (const names of [['Lobby'], ['-'], ['-', 'Lobby'], ['Doors, gates', 'A "B"', ' padded '], ['a;b', '–']])
    expect([namesText(names), namesOf(namesText(names))]).toEqual([expect.not.stringMatching(/^-$/), names]);
});
