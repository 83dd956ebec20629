import type english from './en_US.json';

/** Texts of the areas; `texts.ts` adds the keys of those that keep their texts in their folder. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface AreaTexts {}

type Plural = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other';
type Plain<K> = K extends `${infer P}${Plural}` ? P : K;
/** A key of the language files, without its plural suffix. */
export type TextKey = Plain<(keyof typeof english & string) | keyof AreaTexts>;
