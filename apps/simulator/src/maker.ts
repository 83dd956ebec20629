import type { Model } from './model.ts';

/** What a phone keeps of the files that it loaded over HTTP. */
export interface ProvisionedFile {
  /** The file's own version, of makers whose phones apply a file only when it is higher. */
  version: string | null;
  /** Values by their name in the maker's syntax; in XML, by the path of their element. */
  values: Readonly<Record<string, string>>;
}

/** A phone as it starts. */
export interface Starting {
  mac: string;
  model: Model;
  firmware: string;
  /** Its own address, as it tells it. */
  ip: string;
  /** Address of this machine that it connects from. */
  from?: string | undefined;
  /** Certificate, PEM, of an authority that it trusts besides the public ones. */
  ca?: string | undefined;
  /** Ends its requests when it is switched off. */
  signal?: AbortSignal | undefined;
}

/** A file that a phone asks for when it starts. */
export interface Step {
  file: string;
  /** Asked for only when none of these was there. */
  unless?: readonly string[];
}

/** How the phones of a maker load their configuration. Written from what the makers document, not from the platform. */
export interface Maker {
  agent(phone: Starting, kept?: ProvisionedFile): string;
  /** The files in their order. */
  steps(phone: Starting, kept?: ProvisionedFile): readonly Step[];
  /** Files that a file tells the phone to load next, of makers that have such files. */
  listed?(text: string, mac: string): readonly string[];
  /** Returns the address of the image that a file without values names, of makers that have such files. */
  image?(text: string): string | undefined;
  /** Returns the folder in which the phone asks from now on, by the values that it has; undefined for the former one. */
  server(values: Readonly<Record<string, string>>): string | undefined;
  /** Returns when the phone asks for its files the next time, in milliseconds from now, by the values that it has. */
  nextAsk(values: Readonly<Record<string, string>>, now: Date): number;
  /** Returns what the phone has after it applied a file; null when it applies nothing of it. */
  apply(text: string, kept: ProvisionedFile | undefined, mac: string): ProvisionedFile | null;
}

const letters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => letters[name]!);

/** Returns the texts of the elements without children, by their path below `root`; null for anything else. */
function readXml(xml: string, root: string): Record<string, string> | null {
  const values: Record<string, string> = {};
  const path: string[] = [];
  let opened = false;
  for (const [, close, open, attributes, content] of xml.matchAll(/<(?:(\/[\w-]+)|([\w-]+)([^<>]*))>([^<]*)/g)) {
    if (close) {
      if (opened) values[path.slice(1).join('/')] ??= '';
      path.pop();
      opened = false;
    } else {
      const index = /(?:index|idx)="(\d+)"/.exec(attributes!)?.[1];
      path.push(index === undefined ? open! : `${open}.${index}`);
      opened = true;
      if (content!.trim() !== '') values[path.slice(1).join('/')] = unescaped(content!.trim());
    }
  }
  return xml.trimStart().startsWith('<?xml') && path.length === 0 && xml.includes(`<${root}`) ? values : null;
}

/** Returns what a phone has after it added the values of a file to those that it has. */
const added = (values: Readonly<Record<string, string>>, kept: ProvisionedFile | undefined): ProvisionedFile => ({
  version: null,
  values: { ...kept?.values, ...values },
});
/** Returns the values directly below an element, by their name. */
const below = (read: Readonly<Record<string, string>>, folder: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(read).flatMap(([path, value]) => {
      const [at, name, ...deeper] = path.split('/');
      return at === folder && name !== undefined && deeper.length === 0 ? [[name, value] as const] : [];
    }),
  );
const minute = 60_000;
const dayMinutes = 1_440;

/** Returns a time in minutes as milliseconds; a day when the phone is not to ask, or the time is none. */
const after = (isOn: boolean, minutes: number): number => (isOn && minutes > 0 ? minutes : dayMinutes) * minute;
/** P-values of Grandstream and Htek: whether a phone asks again, and after how many minutes. */
const afterPValues: Maker['nextAsk'] = ({ P193: minutes, P194: mode }) => after(mode === '1', Number(minutes));

const withColons = (mac: string): string => mac.match(/../g)!.join(':');

const fanvil: Maker = {
  agent: ({ mac, model, firmware }) => `Fanvil ${model.name} ${firmware} ${mac}`,
  steps: ({ mac, model }) => [
    { file: `${mac}.cfg` },
    { file: `fanvil_${model.name.replaceAll(' ', '').toLowerCase()}_hwv1_0.txt` },
  ],
  server: ({ 'ap/FlashServerIP': host, 'ap/FlashFileName': name }) =>
    host && name ? `${host}/${name.slice(0, name.lastIndexOf('/') + 1)}` : undefined,
  nextAsk: ({ 'ap/FlashMode': mode, 'ap/FlashInterval': hours }) => after(mode === '2', Number(hours) * 60),
  apply(text, kept) {
    const { Version: version, ...values } = readXml(text, 'sysConf') ?? {};
    return version && Number(version) > Number(kept?.version ?? 0) ? { version, values } : null;
  },
};

/** The code of a model in the name of the file for all Yealink phones of this model. */
const modelCodes: Readonly<Record<string, string>> = {
  'SIP-T31P': '123',
  'SIP-T43U': '107',
  'SIP-T46U': '108',
  'SIP-T54W': '096',
  'SIP-T58W': '150',
};
const firstLine = '#!version:1.0.0.1';
const withoutValue = '%NULL%';

const yealink: Maker = {
  // The phones of the T5 series write their MAC without colons.
  agent: ({ mac, model, firmware }) =>
    `Yealink ${model.name}  ${firmware} ${model.name.includes('T5') ? mac : withColons(mac)}`,
  steps({ mac, model }) {
    const boot = [`${mac}.boot`, 'y000000000000.boot'] as const;
    return [
      { file: boot[0] },
      { file: boot[1], unless: [boot[0]] },
      { file: `y000000000${modelCodes[model.name] ?? '000'}.cfg`, unless: boot },
      { file: `${mac}.cfg`, unless: boot },
    ];
  },
  server: (values) => values['static.auto_provision.server.url'],
  nextAsk: (values) =>
    after(
      values['static.auto_provision.repeat.enable'] === '1',
      Number(values['static.auto_provision.repeat.minutes']),
    ),
  apply(text, kept) {
    const [first, ...lines] = text.split(/\r?\n/);
    if (first !== firstLine) return null;
    const values = new Map(Object.entries(kept?.values ?? {}));
    for (const line of lines) {
      const [, name, value] = /^([\w.]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined) continue;
      if (value === withoutValue) values.delete(name);
      else values.set(name, value!);
    }
    return { version: null, values: Object.fromEntries(values) };
  },
};

const grandstream: Maker = {
  agent: ({ mac, model, firmware }) =>
    `Grandstream Model HW ${model.name} V${model.hardware} SW ${firmware} DevId ${mac}`,
  steps({ mac, model }) {
    const [own, ofModel] = [`cfg${mac}.xml`, `cfg${model.name.toLowerCase()}.xml`];
    return [
      { file: `cfg${mac}` },
      { file: own },
      { file: ofModel, unless: [own] },
      { file: 'cfg.xml', unless: [own, ofModel] },
    ];
  },
  server: ({ P212: protocol, P237: path }) => (path ? `${protocol === '2' ? 'https' : 'http'}://${path}/` : undefined),
  nextAsk: afterPValues,
  apply(text, kept, mac) {
    const read = readXml(text, 'gs_provision');
    if (!read || (read['mac'] !== undefined && read['mac'] !== mac)) return null;
    return added(below(read, 'config'), kept);
  },
};

const snom: Maker = {
  agent: ({ mac, model, firmware }) =>
    `Mozilla/4.0 (compatible; snom${model.name}-SIP ${firmware} 2010.12-00004-g9ba52f5 ${mac.toUpperCase()} SXM:0 UXM:0)`,
  steps({ mac, model }, kept) {
    const server = kept?.values['setting_server'];
    const own = mac.toUpperCase();
    return server
      ? [{ file: server.split('/').at(-1)!.replace('{mac}', own) }]
      : [{ file: `snom${model.name}.htm` }, { file: `snom${model.name}-${own}.htm` }];
  },
  server: ({ setting_server: file }) => file?.slice(0, file.lastIndexOf('/') + 1),
  nextAsk: ({ settings_refresh_timer: seconds }) => after(true, Number(seconds) / 60),
  apply(text, kept) {
    const read = readXml(text, 'settings');
    return read && added(below(read, 'phone-settings'), kept);
  },
};

const master = '000000000000.cfg';

const poly: Maker = {
  // The serial number is the MAC.
  agent({ mac, model, firmware }, kept) {
    const family = model.name.startsWith('VVX') ? 'PolycomVVX' : `Poly${model.name.split(' ')[0]}`;
    const serial = kept?.values['device.prov.tagSerialNo'] === '1' ? ` (SN:${mac})` : '';
    return `FileTransport ${family}-${model.name.replace(' ', '_')}-UA/${firmware}${serial} Type/Application`;
  },
  steps({ mac }) {
    const own = `${mac}.cfg`;
    return [
      { file: own },
      { file: master, unless: [own] },
      { file: `${mac}-license.cfg` },
      { file: `${mac}-directory.xml` },
    ];
  },
  listed: (text, mac) =>
    (/<APPLICATION [^<>]*CONFIG_FILES="([^"]*)"/.exec(text)?.[1] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => name.replace('[PHONE_MAC_ADDRESS]', mac)),
  image: (text) => unescaped(/<APPLICATION [^<>]*APP_FILE_PATH="([^"]+)"/.exec(text)?.[1] ?? '') || undefined,
  server: ({ 'device.prov.serverType': type, 'device.prov.serverName': path }) =>
    path ? `${type!.toLowerCase()}://${path}` : undefined,
  nextAsk: (values) => after(values['prov.polling.enabled'] === '1', Number(values['prov.polling.period']) / 60),
  // What a file does not have goes back to what the phone was sold with.
  apply(text) {
    const [, attributes] = /^<\?xml[^>]*\?>\s*<polycomConfig\s([^>]*)\/>\s*$/.exec(text) ?? [];
    if (attributes === undefined) return null;
    const all = Object.fromEntries(
      [...attributes.matchAll(/(?<![\w.])([\w.]+)="([^"]*)"/g)].map(([, name, value]) => [name!, unescaped(value!)]),
    );
    const isTaken = (name: string) =>
      !name.startsWith('device.') || (all['device.set'] === '1' && all[`${name}.set`] === '1');
    return { version: null, values: Object.fromEntries(Object.entries(all).filter(([name]) => isTaken(name))) };
  },
};

const akuvox: Maker = {
  agent: ({ model, firmware }) => `Akuvox ${model.name} ${firmware}`,
  steps: ({ mac }) => [{ file: `${mac.toUpperCase()}.cfg` }],
  server: (values) => values['Autoprovision.GENERAL.Url'],
  nextAsk(values, now) {
    const [hour, minutes] = ['HourOfDay', 'MinuteOfHour'].map((name) =>
      Number(values[`Autoprovision.SCHEDULE.${name}`]),
    );
    if (values['Autoprovision.MODE.Mode'] !== '3' || Number.isNaN(hour! + minutes!)) return after(false, 0);
    const next = new Date(now);
    next.setHours(hour!, minutes, 0, 0);
    if (next <= now) next.setDate(next.getDate() + 1);
    return next.getTime() - now.getTime();
  },
  apply(text, kept) {
    const [first, ...lines] = text.split(/\r?\n/);
    const read = lines.map((line) => /^Config\.([\w.]+)\s*=\s*(.*?)\s*$/.exec(line)).filter((one) => one !== null);
    return first === firstLine ? added(Object.fromEntries(read.map(([, name, value]) => [name!, value!])), kept) : null;
  },
};

/** The code of a model in the name of the file for all Htek phones of this model. */
const deviceCodes: Readonly<Record<string, string>> = { UC902: '0017', UC912G: '0019', UC924: '0012', UC926: '0010' };

const htek: Maker = {
  agent: ({ mac, model, firmware }) => `Htek ${model.name} ${firmware} ${withColons(mac)}`,
  steps({ mac, model }) {
    const [ofModel, binary] = [`cfg${deviceCodes[model.name] ?? '0000'}.xml`, `cfg${mac}`];
    return [
      { file: ofModel },
      { file: binary, unless: [ofModel] },
      { file: `cfg${mac}.xml`, unless: [ofModel, binary] },
    ];
  },
  server: ({ P237: path }) => (path ? `${path}/` : undefined),
  nextAsk: afterPValues,
  apply(text, kept) {
    const read = readXml(text, 'hl_provision');
    return read && added(below(read, 'config'), kept);
  },
};

export const makers: Readonly<Record<Model['vendor'], Maker>> = {
  Fanvil: fanvil,
  Yealink: yealink,
  Grandstream: grandstream,
  Snom: snom,
  Poly: poly,
  Akuvox: akuvox,
  Htek: htek,
};
