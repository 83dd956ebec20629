import type { UplinkPayload } from '@carillon/device-sdk';
import { suppliedModels } from '@carillon/contracts/models';
import { pick, randomOf } from './random.ts';

/** A product as it is sold, with what its devices report of themselves. */
export interface Model {
  name: string;
  vendor: 'Fanvil' | 'Yealink' | 'Grandstream' | 'Snom' | 'Poly' | 'Akuvox' | 'Htek';
  kind: 'phone' | 'door';
  lines: number;
  /** The number of doors that it moves. */
  doors: number;
  firmware: readonly string[];
  hardware: string;
  /** Its share among models of its kind in the inventory; 0 is for models that only a file of devices names. */
  share: number;
}

/** Models that are set up here with a second door, a gate beside the entrance. */
const withTwoDoors: ReadonlySet<string> = new Set(['i23S', 'GDS3710']);

const sold = (vendor: Model['vendor'], name: string, hardware: string, share: number, ...firmware: string[]): Model => {
  const { type, sipCount } = suppliedModels.find((model) => model.name === name)!;
  const kind = type === 'egs' ? 'door' : 'phone';
  const doors = kind === 'phone' ? 0 : withTwoDoors.has(name) ? 2 : 1;
  return { vendor, name, kind, lines: sipCount!, doors, hardware, share, firmware };
};

export const models: readonly Model[] = [
  sold('Fanvil', 'X3U Pro', '1.0', 14, '2.12.22.2', '2.12.16.17'),
  sold('Fanvil', 'X4U', '1.0', 10, '2.12.16.17', '2.12.1.9'),
  sold('Fanvil', 'X5U', '1.0', 8, '2.12.22.2'),
  sold('Fanvil', 'X6U', '1.0', 7, '2.12.22.2', '2.12.16.17'),
  sold('Fanvil', 'V64', '1.1', 6, '2.12.18.5'),
  sold('Fanvil', 'V67', '1.0', 3, '2.6.10.1992'),
  sold('Yealink', 'SIP-T31P', '124.1', 9, '124.86.0.75', '124.86.0.40'),
  sold('Yealink', 'SIP-T43U', '107.0', 10, '108.86.0.90', '108.86.0.45'),
  sold('Yealink', 'SIP-T46U', '107.0', 8, '108.86.0.90'),
  sold('Yealink', 'SIP-T54W', '96.0', 6, '96.86.0.100', '96.86.0.70'),
  sold('Yealink', 'SIP-T58W', '150.0', 3, '150.86.0.14'),
  sold('Grandstream', 'GRP2612P', '1.2A', 6, '1.0.13.46', '1.0.11.64'),
  sold('Grandstream', 'GRP2614', '1.1A', 5, '1.0.13.46'),
  sold('Grandstream', 'GXP2170', '1.3A', 3, '1.0.11.84'),
  sold('Grandstream', 'GXV3370', '1.1A', 2, '1.0.3.66'),
  sold('Snom', 'D120', '1.0', 0, '10.1.175.16'),
  sold('Snom', 'D717', '1.0', 0, '10.1.175.16'),
  sold('Snom', 'D735', '1.0', 0, '10.1.175.16'),
  sold('Snom', 'D785', '1.0', 0, '10.1.175.16'),
  sold('Snom', 'D865', '1.0', 0, '10.1.175.16'),
  sold('Poly', 'VVX 250', '1.0', 0, '6.4.6.2494'),
  sold('Poly', 'VVX 350', '1.0', 0, '6.4.6.2494'),
  sold('Poly', 'VVX 450', '1.0', 0, '6.4.6.2494'),
  sold('Poly', 'CCX 500', '1.0', 0, '9.4.1.0508'),
  sold('Akuvox', 'SP-R50P', '50.0', 0, '50.0.6.111'),
  sold('Akuvox', 'SP-R53P', '53.0', 0, '53.0.6.111'),
  sold('Akuvox', 'SP-R63G', '63.0', 0, '63.0.6.111'),
  sold('Htek', 'UC902', '1.0', 0, '2.0.4.6.41'),
  sold('Htek', 'UC912G', '1.0', 0, '2.0.4.6.41'),
  sold('Htek', 'UC924', '1.0', 0, '2.0.4.6.41'),
  sold('Htek', 'UC926', '1.0', 0, '2.0.4.6.41'),
  sold('Fanvil', 'i16SV', '1.0', 5, '2.8.40.7'),
  sold('Fanvil', 'i23S', '1.0', 4, '2.8.40.7', '2.8.2.6851'),
  sold('Fanvil', 'i33V', '1.0', 3, '2.8.11.4'),
  sold('Grandstream', 'GDS3710', '1.7A', 2, '1.0.13.6'),
];

/** The first three bytes of the vendors' MACs. */
export const vendorPrefixes: Record<Model['vendor'], readonly string[]> = {
  Fanvil: ['0c383e', '00a859'],
  Yealink: ['805ec0', '249ad8', '44dbd2', '805e0c'],
  Grandstream: ['c074ad', 'ec74d7', '000b82'],
  Snom: ['000413'],
  Poly: ['0004f2', '482567', '64167f'],
  Akuvox: ['0c1105', '9c7514'],
  Htek: ['001fc1'],
};

/** Returns a model by name; for an unknown name, one of the vendor that owns the MAC. */
export function modelOf(mac: string, name: string | undefined): Model {
  const known = models.find((model) => model.name === name);
  if (known) return known;
  const vendor = (Object.keys(vendorPrefixes) as Model['vendor'][]).find((v) =>
    vendorPrefixes[v].includes(mac.slice(0, 6)),
  );
  const like = models.find((model) => model.vendor === (vendor ?? 'Fanvil') && model.kind === 'phone')!;
  return name ? { ...like, name } : like;
}

/** The SIP statuses that refuse registrations of simulated devices: wrong password, unknown number, no answer. */
const refusals = [403, 404, 408];

/**
 * Returns the facts of a device, the same for the same seed and MAC. A few devices are not configured, and a few have a
 * failed line.
 */
export function factsOf(seed: number, mac: string, model: Model, sn: string) {
  const random = randomOf(seed, 'facts', mac);
  const hello = {
    model: model.name,
    sn,
    firmware: pick(random, model.firmware),
    hardware: model.hardware,
    ip: `10.${20 + Math.floor(random() * 4)}.${Math.floor(random() * 32)}.${10 + Math.floor(random() * 240)}`,
    configVersion: random() < 0.94 ? `${1 + Math.floor(random() * 9)}` : undefined,
  } satisfies Partial<UplinkPayload<'hello'>>;

  const extension = 2000 + Math.floor(random() * 7000);
  const failed = random() < 0.03;
  const used = model.kind === 'door' ? 1 : 1 + Math.floor(random() * Math.min(3, model.lines));
  const lines = Array.from({ length: Math.min(model.lines, 4) }, (_, index) =>
    index >= used
      ? { line: index + 1, status: 'unassigned' as const }
      : {
          line: index + 1,
          account: `${extension + index * 1000}`,
          server: 'pbx.demo.example',
          ...(failed && index === 0
            ? { status: 'failed' as const, code: refusals[extension % refusals.length]! }
            : { status: 'registered' as const }),
        },
  );
  const dnd = model.kind === 'door' ? ('unsupported' as const) : random() < 0.02 ? ('on' as const) : ('off' as const);
  const state = {
    lines,
    dnd,
    calls: 0,
    certificate: random() < 0.85,
    ip: hello.ip,
    ...(model.doors > 0
      ? { doors: Array.from({ length: model.doors }, (_, n) => ({ door: n + 1, status: 'closed' as const })) }
      : {}),
  } satisfies Partial<UplinkPayload<'state'>>;
  return { hello, state };
}
