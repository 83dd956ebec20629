import type { FixedMenuKey, MenuDefinition, MenuGroupKey } from '../menu.ts';

/** Something that the product manages in a list. Its permissions, menu entry, live kind and texts follow from this. */
export interface NounDefinition<Name extends string = string, Verb extends string = string> {
  /** Singular name. Also the key of the menu entry, the permission to see it, the live kind and the texts. */
  name: Name;
  /** The heading in `docs/errors`. */
  title: string;
  /** Where the code is, for `docs/where.md`: what it does, and folders other than those that carry its name. */
  where: { does: string; folders: readonly string[] };
  /** Body of its `add` call, with which tests create one. */
  example: Readonly<Record<string, unknown>>;
  /** Fields of the example that are the id of another noun's example. */
  needs?: Readonly<Record<string, string>>;
  /** Field of the example that takes uploads: tests upload this file. */
  upload?: { field: string; name: string; text: string; several?: true };
  /** Each verb is a permission: `add` of `site` is `addSite`. */
  rights: readonly Verb[];
  menu: {
    langKey: `menu.${string}`;
    path: `/${string}`;
    /** Name of a menu icon of the console; an unknown name does not compile there. */
    icon: string;
    keepAlive?: boolean;
  } & (
    | { /** Placed before the entry with this key, in the same group. */ before: FixedMenuKey; in?: never }
    | { /** Placed in this group, after the existing entries. */ in: MenuGroupKey; before?: never }
  );
}

type VerbOf<N> = N extends { rights: readonly (infer V extends string)[] } ? V : never;
/** Permission keys of a noun: one to see it, and one for each verb. */
export type RightsOfNoun<N> = N extends { name: infer Name extends string }
  ? Name | `${VerbOf<N>}${Capitalize<Name>}`
  : never;

/** Declares a noun. It contains no server code, because the console imports it too. */
export function defineNoun<
  const Name extends string,
  const Verb extends string,
  const N extends NounDefinition<Name, Verb>,
>(noun: N & NounDefinition<Name, Verb>): N {
  return noun;
}

/** Returns the permission key of `verb` for a noun. */
export const rightOf = ({ name }: { name: string }, verb: string): string =>
  `${verb}${name[0]!.toUpperCase()}${name.slice(1)}`;

export const menuOf = (noun: NounDefinition): MenuDefinition => {
  const { before: _, in: __, ...entry } = noun.menu;
  return { key: noun.name, ...entry, buttons: noun.rights.map((verb) => rightOf(noun, verb)) };
};
