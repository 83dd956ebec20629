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
  /** Its own address. */
  ip: string;
}

/** A file that a phone asks for when it starts. */
export interface Step {
  file: string;
  /** Asked for only when none of these was there. */
  unless?: readonly string[];
}

/** How the phones of a maker load their configuration. Written from what the makers document, not from the platform. */
export interface Maker {
  agent(phone: Starting): string;
  /** The files in their order. */
  steps(phone: Starting): readonly Step[];
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
  for (const [, close, open, attributes, content] of xml.matchAll(/<(?:(\/\w+)|(\w+)([^>]*))>([^<]*)/g)) {
    if (close) {
      if (opened) values[path.slice(1).join('/')] ??= '';
      path.pop();
      opened = false;
    } else {
      const index = /index="(\d+)"/.exec(attributes!)?.[1];
      path.push(index === undefined ? open! : `${open}.${index}`);
      opened = true;
      if (content!.trim() !== '') values[path.slice(1).join('/')] = unescaped(content!.trim());
    }
  }
  return xml.trimStart().startsWith('<?xml') && path.length === 0 && xml.includes(`<${root}`) ? values : null;
}

const fanvil: Maker = {
  agent: ({ mac, model, firmware }) => `Fanvil ${model.name} ${firmware} ${mac}`,
  steps: ({ mac, model }) => [
    { file: `${mac}.cfg` },
    { file: `fanvil_${model.name.replaceAll(' ', '').toLowerCase()}_hwv1_0.txt` },
  ],
  apply(text, kept) {
    const { Version: version, ...values } = readXml(text, 'sysConf') ?? {};
    return version && Number(version) > Number(kept?.version ?? 0) ? { version, values } : null;
  },
};

/** The code of a model in the name of the file for all phones of this model. */
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
    `Yealink ${model.name}  ${firmware} ${model.name.includes('T5') ? mac : mac.match(/../g)!.join(':')}`,
  steps({ mac, model }) {
    const boot = [`${mac}.boot`, 'y000000000000.boot'] as const;
    return [
      { file: boot[0] },
      { file: boot[1], unless: [boot[0]] },
      { file: `y000000000${modelCodes[model.name] ?? '000'}.cfg`, unless: boot },
      { file: `${mac}.cfg`, unless: boot },
    ];
  },
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
  apply(text, kept, mac) {
    const read = readXml(text, 'gs_provision');
    if (!read || (read['mac'] !== undefined && read['mac'] !== mac)) return null;
    const values = Object.entries(read).flatMap(([path, value]) => {
      const [, name] = /^config\/(P\d+)$/.exec(path) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    });
    return { version: null, values: { ...kept?.values, ...Object.fromEntries(values) } };
  },
};

export const makers: Readonly<Record<Model['vendor'], Maker>> = {
  Fanvil: fanvil,
  Yealink: yealink,
  Grandstream: grandstream,
};
