import type { FixedMenuKey, MenuDefinition, MenuGroupKey } from '../menu.ts';

/** What the product manages in a list: its rights, its menu entry, its live kind and its words follow from this. */
export interface NounDefinition<Name extends string = string, Verb extends string = string> {
  /** One of it. Also the key of its menu entry, of the right to see it, of its live kind and of its texts. */
  name: Name;
  /** The heading in `docs/errors`. */
  title: string;
  /** Where the code is, for `docs/where.md`: what it does, and the folders beside the ones that carry its name. */
  where: { does: string; folders: readonly string[] };
  /** What its `add` call takes: tests make one of it. */
  example: Readonly<Record<string, unknown>>;
  /** Fields of the example that are the id of another noun's example. */
  needs?: Readonly<Record<string, string>>;
  /** The field of the example that takes uploads: tests upload this file. */
  upload?: { field: string; name: string; text: string; several?: true };
  /** Each verb is a right of its own: `add` of `site` is `addSite`. */
  rights: readonly Verb[];
  menu: {
    langKey: `menu.${string}`;
    path: `/${string}`;
    /** A name of the console's menu icons; one that the console does not know does not compile there. */
    icon: string;
    keepAlive?: boolean;
  } & (
    | { /** It stands before the entry with this key, in the same group. */ before: FixedMenuKey; in?: never }
    | { /** It stands in this group, behind what is there already. */ in: MenuGroupKey; before?: never }
  );
}

type VerbOf<N> = N extends { rights: readonly (infer V extends string)[] } ? V : never;
/** The keys of a noun's rights: to see it, and one for each verb. */
export type RightsOfNoun<N> = N extends { name: infer Name extends string }
  ? Name | `${VerbOf<N>}${Capitalize<Name>}`
  : never;

/** Declares a noun. It holds no server text, because the console reads it too. */
export function defineNoun<
  const Name extends string,
  const Verb extends string,
  const N extends NounDefinition<Name, Verb>,
>(noun: N & NounDefinition<Name, Verb>): N {
  return noun;
}

/** The key of the right to do `verb` with a noun. */
export const rightOf = ({ name }: { name: string }, verb: string): string =>
  `${verb}${name[0]!.toUpperCase()}${name.slice(1)}`;

export const menuOf = (noun: NounDefinition): MenuDefinition => {
  const { before: _, in: __, ...entry } = noun.menu;
  return { key: noun.name, ...entry, buttons: noun.rights.map((verb) => rightOf(noun, verb)) };
};
