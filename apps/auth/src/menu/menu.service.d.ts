import { type MenuDefinition, type MenuItem } from '@carillon/contracts';
/** The menu of who has these keys; an entry with no key of its own left shows only when it holds one that is granted (SHELL-03). */
export declare function menuOf(permissions: readonly string[], tree?: readonly MenuDefinition[]): MenuItem[];
/** The granted button keys (spec, section 6), in the tree's order. */
export declare function buttonsOf(permissions: readonly string[], tree?: readonly MenuDefinition[]): string[];
