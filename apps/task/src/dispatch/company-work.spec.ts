import { expect, test } from 'vitest';
import { CompanyWork } from './company-work.ts';

test('companies take turns, and the pieces of a company keep their order', async () => {
  const work = new CompanyWork();
  const ran: string[] = [];
  const add = (company: string, piece: string) =>
    work.add(company, async () => {
      ran.push(piece);
      await Promise.resolve();
    });
  const busy = ['a1', 'a2', 'a3', 'a4'].map((piece) => add('a', piece));
  await add('b', 'b1');
  expect(ran).toEqual(['a1', 'b1']);
  await add('c', 'c1');
  expect(ran).toEqual(['a1', 'b1', 'a2', 'c1']);
  await Promise.all(busy);
  expect(ran).toEqual(['a1', 'b1', 'a2', 'c1', 'a3', 'a4']);
});

test('a piece that adds another one goes to the end of its company, and all work can be awaited', async () => {
  const work = new CompanyWork();
  const ran: string[] = [];
  void work.add('a', async () => {
    ran.push('first');
    void work.add('a', async () => void ran.push('added'));
  });
  void work.add('a', async () => void ran.push('second'));
  await work.idle();
  expect(ran).toEqual(['first', 'second', 'added']);
  await work.idle();
});
