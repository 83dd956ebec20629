import { models, vendorPrefixes, type Model } from './model.ts';
import { pick, randomOf } from './random.ts';

export interface InventoryItem {
  mac: string;
  sn: string;
  model: string;
  name: string;
}

const people = [
  'Ana Souza',
  'Bruno Lima',
  'Camila Rocha',
  'Chen Jie',
  'Choi Eun-ji',
  'Daniel Weber',
  'Elena Rossi',
  'Emma Clark',
  'Fatima Haddad',
  'Felipe Costa',
  'Grace Miller',
  'Han Seo-yeon',
  'Hugo Martin',
  'Ines Carvalho',
  'James Wilson',
  'Jang Min-ho',
  'Julia Becker',
  'Kim Do-yun',
  'Lara Mendes',
  'Laura Schmidt',
  'Lee Ji-woo',
  'Li Na',
  'Liam Murphy',
  'Liu Yang',
  'Lucas Alves',
  'Maria Lopez',
  'Mateo Garcia',
  'Nadia Karim',
  'Noah Evans',
  'Olivia Brown',
  'Park Jun-seo',
  'Paula Ferreira',
  'Peter Novak',
  'Rafael Dias',
  'Sara Lind',
  'Sofia Ricci',
  'Sun Lei',
  'Thomas Moreau',
  'Wang Fang',
  'Wu Min',
  'Xu Hao',
  'Yoon Ha-eun',
  'Yuki Tanaka',
  'Zhang Wei',
  'Zhao Lin',
  'Zoe Hughes',
];
const places = [
  'Meeting room',
  'Workshop',
  'Break room',
  'Lab',
  'Warehouse',
  'Hot desk',
  'Training room',
  'Ward',
  'Classroom',
  'Guest room',
];
const single = [
  'Reception',
  'Porter',
  'Canteen',
  'First aid',
  'Server room',
  'Loading bay office',
  'Security desk',
  'Fax room',
  'Board room',
  'Mail room',
];
const entrances = [
  'Main entrance',
  'Side entrance',
  'Car park',
  'Loading bay',
  'Staff door',
  'Garden gate',
  'Roof door',
  'Stairwell',
  'Archive',
  'Bicycle room',
];

function weighted(random: () => number, among: readonly Model[]): Model {
  let at = random() * among.reduce((sum, model) => sum + model.share, 0);
  return among.find((model) => (at -= model.share) < 0) ?? among[0]!;
}

function serial(random: () => number, { vendor, name }: Model): string {
  const digits = (n: number) => Array.from({ length: n }, () => Math.floor(random() * 10)).join('');
  const letters = (n: number) =>
    Array.from({ length: n }, () => pick(random, [...'0123456789ABCDEFGHJKLMNPRSTUVWXYZ'])).join('');
  if (vendor === 'Yealink') return `80${digits(14)}`;
  if (vendor === 'Grandstream') return `2${letters(9)}${digits(6)}`;
  return `${name
    .replace(/[^A-Z0-9]/gi, '')
    .toUpperCase()
    .slice(0, 4)}${2 + Math.floor(random() * 4)}${letters(3)}${digits(6)}`;
}

const macOf = (random: () => number, vendor: Model['vendor']): string =>
  pick(random, vendorPrefixes[vendor]) +
  Math.floor(random() * 2 ** 24)
    .toString(16)
    .padStart(6, '0');

/**
 * Returns `count` phones of these makers in turn. The same seed and makers give the same list, which is a prefix of a
 * longer one; no MAC of `taken` occurs, and none twice.
 */
export function makePhones(
  vendors: readonly Model['vendor'][],
  count: number,
  seed: number,
  taken: ReadonlySet<string> = new Set(),
): InventoryItem[] {
  const seen = new Set(taken);
  return Array.from({ length: count }, (_, index) => {
    const random = randomOf(seed, 'phones', index);
    const vendor = vendors[index % vendors.length]!;
    const model = pick(
      random,
      models.filter((one) => one.vendor === vendor && one.kind === 'phone'),
    );
    let mac = macOf(random, vendor);
    while (seen.has(mac)) mac = macOf(random, vendor);
    seen.add(mac);
    return { mac, sn: serial(random, model), model: model.name, name: `${vendor} phone ${index + 1}` };
  });
}

/**
 * Returns `count` phones and doors of a plausible company: one door in twelve, names of people, rooms and entrances.
 * The same seed gives the same list, which is a prefix of a longer one; no MAC, SN or name occurs twice.
 */
export function makeInventory(count: number, seed: number): InventoryItem[] {
  const seen = new Set<string>();
  const unique = (make: (attempt: number) => string): string => {
    for (let attempt = 0; ; attempt++) {
      const made = make(attempt);
      if (!seen.has(made)) {
        seen.add(made);
        return made;
      }
    }
  };
  return Array.from({ length: count }, (_, index) => {
    const random = randomOf(seed, 'inventory', index);
    const isDoor = index % 12 === 7;
    const model = weighted(
      random,
      models.filter((m) => (m.kind === 'door') === isDoor),
    );
    const mac = unique(() => macOf(random, model.vendor));
    const sn = unique(() => serial(random, model));
    const floor = 1 + Math.floor(random() * 6);
    const room = floor * 100 + Math.floor(random() * 60);
    const what = random();
    const base = isDoor
      ? `${pick(random, entrances)} ${pick(random, ['north', 'south', 'east', 'west'])}`
      : what < 0.62
        ? pick(random, people)
        : what < 0.94
          ? `${pick(random, places)} ${room}`
          : pick(random, single);
    const name = unique((attempt) => (attempt === 0 ? base : `${base} ${attempt + 1}`));
    return { mac, sn, model: model.name, name };
  });
}
