import {
  hasPhoneKey,
  phoneKeyName,
  phoneKeyNames,
  phoneKeyPlace,
  takesPhoneKey,
  type PhoneKey,
  type PhoneKeyLayout,
  type PhoneKeyName,
} from '@carillon/contracts/settings';

/** The keys of a template in the form. */
export type KeyDraft = Readonly<Partial<Record<PhoneKeyName, PhoneKey>>>;

/** Returns the keys with another function of one; undefined clears it. */
export function withKey(keys: KeyDraft, name: PhoneKeyName, key: PhoneKey | undefined): KeyDraft {
  const { [name]: _, ...others } = keys;
  return key === undefined ? others : { ...others, [name]: key };
}

/** Returns the keys after one was moved to a place; the key that was there takes its former place. */
export const swapped = (keys: KeyDraft, from: PhoneKeyName, to: PhoneKeyName): KeyDraft =>
  withKey(withKey(keys, to, keys[from]), from, keys[to]);

/** Returns the names that a lock has after the same move: it stays with the key. */
export const swappedNames = <N extends string>(names: readonly N[], from: N, to: N): N[] =>
  names.map((name) => (name === from ? to : name === to ? from : name));

/** Returns the keys that the phones do not have, or that use a line that they do not have. */
export const unplaced = (keys: KeyDraft, layout: PhoneKeyLayout): PhoneKeyName[] =>
  phoneKeyNames(keys).filter((name) => !takesPhoneKey(layout, phoneKeyPlace(name), keys[name]!));

/** Returns the same key on the next or the former page; undefined when there is no such key. */
export function onOtherPage(name: PhoneKeyName, by: 1 | -1, layout: PhoneKeyLayout): PhoneKeyName | undefined {
  const place = phoneKeyPlace(name);
  const other = { ...place, page: place.page + by };
  return other.page >= 1 && hasPhoneKey(layout, other) ? phoneKeyName(other) : undefined;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
const centre = ({ left, top, width, height }: Box) => [left + width / 2, top + height / 2] as const;
const axes = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;
export type Arrow = keyof typeof axes;
export const isArrow = (key: string): key is Arrow => Object.hasOwn(axes, key);

/** Returns the nearest box in a direction; one straight ahead counts before one beside. */
export function nearest<T extends Box>(from: Box, others: readonly T[], arrow: Arrow): T | undefined {
  const [dx, dy] = axes[arrow];
  const [x, y] = centre(from);
  let best: { box: T; distance: number } | undefined;
  for (const box of others) {
    const [ox, oy] = centre(box);
    const ahead = (ox - x) * dx + (oy - y) * dy;
    const beside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    const distance = ahead + 2 * beside;
    if (ahead > 1 && (best === undefined || distance < best.distance)) best = { box, distance };
  }
  return best?.box;
}
