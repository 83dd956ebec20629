import { expect, it } from 'vitest';
import { lineFailures, maxColumns, maxLines } from './line-rules.ts';

it('a file over 400 lines is refused with its name and its count', () => {
  const lines = (count: number) => 'a();\n'.repeat(count);
  expect(lineFailures('long.ts', lines(maxLines))).toEqual([]);
  expect(lineFailures('long.ts', lines(maxLines + 1))).toEqual(['long.ts: 401 lines']);
});

it('a line over 120 columns is refused unless one literal makes it long', () => {
  const long = 'a'.repeat(maxColumns);
  const query = `select a from b where c = '${long}'`;
  expect(lineFailures('wide.ts', `a();\n// ${long}\n`)).toEqual(['wide.ts:2: 123 columns']);
  expect(lineFailures('wide.ts', `say('${long}');\n`)).toEqual([]);
  expect(lineFailures('wide.ts', `run(\`${query}\`);\n`)).toHaveLength(1);
});
