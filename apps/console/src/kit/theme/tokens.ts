/**
 * The console's colours as data: light, dark. The build writes the stylesheet from it, so that no colour is defined
 * elsewhere or computed in the browser.
 */
export type Pair = readonly [light: string, dark: string];

export const tokens = {
  canvas: ['#F4F3F0', '#100F0E'],
  surface: ['#FFFFFF', '#191816'],
  sunken: ['#FAF9F7', '#151412'],
  raised: ['#FFFFFF', '#211F1D'],
  drawer: ['#FFFFFF', '#1D1B19'],
  hover: ['#F4F3F0', '#22201E'],
  pressed: ['#EAE8E3', '#2B2926'],
  'line-subtle': ['#EDEBE7', '#262422'],
  line: ['#DEDBD5', '#34312E'],
  control: ['#888379', '#7D786F'],
  text: ['#1C1A17', '#EDEAE5'],
  'text-2': ['#55514A', '#B3AEA5'],
  'text-3': ['#6B665E', '#96918A'],
  'on-accent': ['#FFFFFF', '#FFFFFF'],
  brass: ['#8F5F14', '#D9A94F'],
  inverse: ['#24211E', '#34312D'],
  'on-inverse': ['#F7F5F2', '#F3F0EB'],
  'inverse-2': ['#BDB7AD', '#BDB7AD'],
  'danger-fill': ['#B92C19', '#C63A26'],
  'neutral-soft': ['#EFEDE9', '#282623'],
  'chart-1': ['#0B7A8A', '#3FB2C0'],
  'chart-2': ['#B0741A', '#E0AE55'],
  'chart-3': ['#5567D6', '#93A2FF'],
  'chart-4': ['#A2478C', '#DE8CC9'],
  'chart-5': ['#5B7F1E', '#A3C45C'],
  'chart-others': ['#857F75', '#8F8A81'],
} as const satisfies Record<string, Pair>;

/** A status has a colour for its glyph and word, and a soft one for the background of a notice. */
export const statusTokens = {
  online: ['#167443', '#4CC38A'],
  'online-soft': ['#E6F4EC', '#15281F'],
  offline: ['#6B665E', '#9D988F'],
  'not-configured': ['#7548C2', '#B79CF2'],
  'not-configured-soft': ['#F1EBFB', '#251E35'],
  abnormal: ['#BF2F1B', '#FF7B66'],
  'abnormal-soft': ['#FCEBE7', '#361B16'],
  running: ['#2A5BD0', '#7DA8FF'],
  'running-soft': ['#E8EEFC', '#1A2440'],
  timeout: ['#8F5500', '#E3A43E'],
  'timeout-soft': ['#FAF0DD', '#2F2412'],
} as const satisfies Record<string, Pair>;

type Tuple = readonly [string, string, string, string, string, string, string, string, string, string];

/** Accents to choose from; the first is the product's own. They never change a status colour. */
export const accents = {
  verdigris: [
    '#E4F1F2',
    '#CBE4E7',
    '#A9D3D8',
    '#5EC2CE',
    '#37A6B4',
    '#1A8E9D',
    '#0F7988',
    '#0B6470',
    '#084F59',
    '#063C44',
  ],
  cobalt: [
    '#E5EFFF',
    '#CEDFFF',
    '#AFCBFE',
    '#86B0FE',
    '#5791FE',
    '#4379E2',
    '#3767C4',
    '#2C54A3',
    '#224282',
    '#183264',
  ],
  plum: ['#F8E9F3', '#F1D5E8', '#E8BAD9', '#EA8BD0', '#CE6EB5', '#B4589C', '#9B4986', '#803C6F', '#662E58', '#4E2243'],
  brass: ['#F5EDE3', '#ECDCC9', '#DFC5A6', '#DBA55F', '#C0893D', '#A46F22', '#8C5E17', '#744D11', '#5B3C0C', '#452C07'],
  graphite: [
    '#EEEEED',
    '#DFDEDD',
    '#CBCAC7',
    '#B3B0AB',
    '#98948F',
    '#817E79',
    '#6E6B66',
    '#5B5854',
    '#474542',
    '#363432',
  ],
} as const satisfies Record<string, Tuple>;
export type Accent = keyof typeof accents;

export const gray: Tuple = [
  '#FAF9F7',
  '#F4F3F0',
  '#EAE8E3',
  '#DEDBD5',
  '#C9C5BD',
  '#A8A39A',
  '#6B665E',
  '#55514A',
  '#3A3732',
  '#1C1A17',
];
export const dark: Tuple = [
  '#EDEAE5',
  '#B3AEA5',
  '#9D988F',
  '#7D786F',
  '#34312E',
  '#2B2926',
  '#211F1D',
  '#191816',
  '#151412',
  '#100F0E',
];
export const danger: Tuple = [
  '#FCEBE7',
  '#F8D5CD',
  '#F2B3A6',
  '#FF7B66',
  '#EC5F48',
  '#D94A33',
  '#C63A26',
  '#B92C19',
  '#9A2212',
  '#7A1A0D',
];

/** The verdigris accent's hand-picked values; other accents derive them from their tuples. */
export const verdigrisDark = { hover: '#0C6976', soft: '#10262A', line: '#1F525A', selected: '#15201F' } as const;
export const verdigrisLight = { selected: '#F0F7F7', focus: '#0B7B8A' } as const;

export const themes = ['carillon', 'slate', 'contrast'] as const;
export type ThemeName = (typeof themes)[number];
