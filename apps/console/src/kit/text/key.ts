import type english from './en_US.json';

type Plural = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other';
type Plain<K> = K extends `${infer P}${Plural}` ? P : K;
/** A key of the language files, without its plural ending. */
export type TextKey = Plain<keyof typeof english & string>;
