import {
  convertCssVariables,
  defaultCssVariablesResolver,
  DEFAULT_THEME,
  mergeMantineTheme,
  type CSSVariablesResolver,
} from '@mantine/core';
import {
  accents,
  danger,
  statusTokens,
  tokens,
  verdigrisDark,
  verdigrisLight,
  type Accent,
  type Pair,
} from './tokens.ts';
import { koreanFontStack, theme } from './theme.ts';
import { mix, turnHue } from './colour.ts';

type Side = 0 | 1;
const sideName = ['light', 'dark'] as const;

/** Returns the tokens of an accent. */
function accentTokens(name: Accent, side: Side): Record<string, string> {
  const t = accents[name];
  const own = name === 'verdigris';
  const isDark = side === 1;
  return {
    accent: t[isDark ? 6 : 7],
    'accent-hover': isDark ? (own ? verdigrisDark.hover : t[7]) : t[8],
    'accent-text': t[isDark ? 3 : 7],
    'accent-soft': isDark ? (own ? verdigrisDark.soft : mix(tokens.surface[1], t[7], 0.32)) : t[0],
    'accent-line': isDark ? (own ? verdigrisDark.line : t[8]) : t[2],
    selected: isDark
      ? own
        ? verdigrisDark.selected
        : mix(tokens.surface[1], t[7], 0.16)
      : own
        ? verdigrisLight.selected
        : mix(tokens.surface[0], t[0], 0.6),
    focus: isDark ? t[3] : own ? verdigrisLight.focus : t[6],
    mark: t[isDark ? 3 : 7],
  };
}

const declare = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([k, v]) => `--${k}:${v};`)
    .join('');
const pick = (pairs: Record<string, Pair>, side: Side) =>
  Object.fromEntries(Object.entries(pairs).map(([k, v]) => [k, v[side]]));
const block = (selector: string, values: Record<string, string>) => `${selector}{${declare(values)}}`;

/** Theme-dependent greys; the colours of charts and states stay. */
const greys = Object.keys(tokens).filter((k) => !/^(chart|brass|danger|on-accent)/.test(k)) as (keyof typeof tokens)[];

/** Mantine variables that do not follow from the tuples (design, section 9). */
const resolver: CSSVariablesResolver = (merged) => {
  const base = defaultCssVariablesResolver(merged);
  const side = (s: Side) => ({
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-bright': 'var(--text)',
    '--mantine-color-default': 'var(--raised)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-dimmed': 'var(--text-3)',
    '--mantine-color-error': 'var(--abnormal)',
    '--mantine-color-anchor': 'var(--accent-text)',
    '--mantine-color-disabled': 'var(--neutral-soft)',
    '--mantine-color-disabled-color': 'var(--text-3)',
    '--mantine-color-disabled-border': 'var(--line)',
    '--mantine-color-accent-filled': 'var(--accent)',
    '--mantine-color-accent-filled-hover': 'var(--accent-hover)',
    '--mantine-color-accent-text': 'var(--accent-text)',
    '--mantine-color-accent-outline': 'var(--accent-text)',
    '--mantine-color-accent-light': 'var(--accent-soft)',
    '--mantine-color-accent-light-color': 'var(--accent-text)',
    '--mantine-primary-color-filled': 'var(--accent)',
    '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
    '--mantine-color-danger-filled': 'var(--danger-fill)',
    '--mantine-color-danger-filled-hover': danger[s === 0 ? 8 : 7],
  });
  return { variables: base.variables, light: { ...base.light, ...side(0) }, dark: { ...base.dark, ...side(1) } };
};

/** Mantine's stock palettes are not used: our colours are tokens. */
const isStockColour = (name: string) =>
  /^--mantine-color-(red|pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange)-/.test(name);
const withoutStock = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([k]) => !isStockColour(k)));

/**
 * Returns the whole sheet of variables: tokens in both schemes, accents, themes, and Mantine's own for the same theme
 * as in the browser. Written at build time, so that the page needs no style element and the content security policy can
 * forbid them.
 */
export function stylesheet(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const r = resolver(merged);
  const scheme = (s: Side) => `:root[data-mantine-color-scheme="${sideName[s]}"]`;
  // Layer order: elements, then Mantine's components; our own styles are in no layer and win.
  const css = [
    '@layer reset, mantine;',
    convertCssVariables(
      { variables: withoutStock(r.variables), light: withoutStock(r.light), dark: withoutStock(r.dark) },
      ':root',
    ),
  ];
  for (const s of [0, 1] as const) {
    css.push(
      block(s === 0 ? ':root' : scheme(1), {
        ...pick(tokens, s),
        ...pick(statusTokens, s),
        ...accentTokens('verdigris', s),
      }),
    );
  }
  for (const s of [0, 1] as const) {
    for (const name of Object.keys(accents) as Accent[])
      if (name !== 'verdigris') css.push(block(`${scheme(s)}[data-accent="${name}"]`, accentTokens(name, s)));
    css.push(
      block(`${scheme(s)}[data-theme="slate"]`, Object.fromEntries(greys.map((k) => [k, turnHue(tokens[k][s], 255)]))),
    );
    css.push(
      block(`${scheme(s)}[data-theme="contrast"]`, {
        line: tokens.control[s],
        'line-subtle': tokens.line[s],
        'text-3': tokens['text-2'][s],
      }),
    );
  }
  css.push(
    `:root:lang(ko){--mantine-font-family:${koreanFontStack};--mantine-font-family-headings:${koreanFontStack}}`,
  );
  return css.join('\n');
}
