import type first from './en_US/first.json';
import type rest from './en_US/rest.json';
import type link from './en_US/link.json';
import type page from './en_US/page.json';
import type system from './en_US/system.json';

/** Texts of the areas; `texts.ts` adds the keys of those that keep their texts in their folder. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface AreaTexts {}

type Plural = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other';
type Plain<K> = K extends `${infer P}${Plural}` ? P : K;
/** A key of the language files, without its plural suffix. */
type Base = typeof first & typeof rest & typeof link & typeof page & typeof system;
export type TextKey = Plain<(keyof Base & string) | keyof AreaTexts>;
