import { t } from '../text/translate.ts';
import type { TextKey } from '../text/key.ts';
import { count, pageTexts } from '../text/text.ts';
import { showToast, type Undo } from './toast.ts';

type Key = Extract<TextKey, `done.${string}`> extends `done.${infer K}` ? K : never;

/** Confirms an action: `done('added', { name: 'Harbor Hotels' })`. For several objects it shows the number. */
export async function done(
  what: Key,
  values: { name?: string; place?: string; many?: number } = {},
  undo?: Undo,
): Promise<void> {
  await pageTexts();
  const { many, ...names } = values;
  showToast(t(`done.${what}`, { ...names, ...(many === undefined ? {} : { count: many, number: count(many) }) }), undo);
}
