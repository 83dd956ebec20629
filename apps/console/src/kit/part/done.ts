import { t } from '../text/translate.ts';
import type { TextKey } from '../text/key.ts';
import { count, pageTexts } from '../text/text.ts';
import { told, type Undo } from './told.ts';

type Key = Extract<TextKey, `done.${string}`> extends `done.${infer K}` ? K : never;

/** Says what was done to what: `done('added', { name: 'Harbor Hotels' })`. Of several it says how many. */
export async function done(
  what: Key,
  of: { name?: string; place?: string; many?: number } = {},
  undo?: Undo,
): Promise<void> {
  await pageTexts();
  const { many, ...names } = of;
  told(t(`done.${what}`, { ...names, ...(many === undefined ? {} : { count: many, number: count(many) }) }), undo);
}
