import { expect, test } from 'vitest';
import { z } from 'zod';
import type { RouteDefinition } from '@carillon/contracts';
import { validate } from './validate.ts';

const route = {
  method: 'POST',
  path: '/x',
  query: z.object({ search: z.string().optional() }),
  body: z.object({ names: z.array(z.string()), password: z.string().optional(), name: z.string().max(4) }),
} as unknown as RouteDefinition;
const validated = (body: object, query: object = {}) => validate(route, { params: {}, query, body }) as unknown;

test('texts of a request are composed, in its query and at any depth, and passwords stay as typed', () => {
  const [composed, decomposed] = ['회의실', '회의실'.normalize('NFD')];
  expect(
    validated({ names: ['a', decomposed], name: 'Cafe\u0301', password: decomposed }, { search: decomposed }),
  ).toMatchObject({
    query: { search: composed },
    body: { names: ['a', composed], name: 'Café', password: decomposed },
  });
});
