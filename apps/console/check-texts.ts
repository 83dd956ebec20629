import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseTexts, textParts } from './src/kit/text/base.ts';
import { allTexts, areaTexts, textsOfPart } from './src/texts.ts';

/**
 * Whether every text exists once in every language with the same placeholders and the plural forms that the language
 * has, whether every key in the code exists and every key is used, whether a route loads the texts that it shows, and
 * that no words stand in the code itself. Run: `node --conditions=carillon-source apps/console/check-texts.ts`; exits 1
 * and names each finding.
 */
const source = fileURLToPath(new URL('./src/', import.meta.url));
const tags = { en_US: 'en', zh_CN: 'zh-CN', ko: 'ko', pt_BR: 'pt-BR' } as const;
const plural = /_(zero|one|two|few|many|other)$/;
const faults: string[] = [];

type Texts = Record<string, string>;
const files = Object.fromEntries((Object.keys(tags) as (keyof typeof tags)[]).map((l) => [l, allTexts(l)])) as Record<
  keyof typeof tags,
  Texts
>;
const english = files.en_US;
const bases = (texts: Texts) =>
  Map.groupBy(Object.keys(texts), (k) =>
    plural.test(k) && `${k.replace(plural, '')}_other` in texts ? k.replace(plural, '') : k,
  );
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)]
    .map((m) => m[1]!)
    .sort()
    .join();
const wanted = bases(english);

// The last of two entries counts, and a merge may have kept both.
for (const language of Object.keys(tags) as (keyof typeof tags)[]) {
  const keys = textParts.flatMap((part) =>
    [...readFileSync(`${source}kit/text/${language}/${part}.json`, 'utf8').matchAll(/^ *"([^"]+)":/gm)].map(
      (m) => m[1]!,
    ),
  );
  // Otherwise a language would load a text later than another, or never.
  for (const part of textParts) {
    const there = new Set([...bases(baseTexts[language][part]).keys()]);
    for (const key of bases(baseTexts.en_US[part]).keys())
      if (!there.has(key)) faults.push(`${language}: "${key}" is not in ${part}.json, as it is in en_US`);
  }
  const inAreas = areaTexts(language);
  for (const key of new Set(keys.filter((k, n) => keys.indexOf(k) !== n || k in inAreas)))
    faults.push(`${language}: "${key}" is there twice`);
}

for (const [language, texts] of Object.entries(files) as [keyof typeof tags, Texts][]) {
  const found = bases(texts);
  const forms = new Intl.PluralRules(tags[language]).resolvedOptions().pluralCategories;
  for (const [key, keys] of wanted) {
    if (!found.has(key)) {
      faults.push(`${language}: "${key}" is missing`);
      continue;
    }
    const isPlural = keys.some((k) => k !== key);
    const expected = isPlural
      ? forms
          .map((f) => `${key}_${f}`)
          .sort()
          .join()
      : key;
    const actual = found.get(key)!.toSorted().join();
    if (expected !== actual) faults.push(`${language}: "${key}" has the forms ${actual}, the language has ${expected}`);
    // A form for exactly one may leave its number out.
    const full = placeholders(english[isPlural ? `${key}_other` : key]!);
    for (const k of found.get(key)!)
      if (placeholders(texts[k]!) !== full && !(k.endsWith('_one') && full.includes(placeholders(texts[k]!))))
        faults.push(
          `${language}: "${k}" has the placeholders ${placeholders(texts[k]!) || 'none'}, not ${full || 'none'}`,
        );
  }
  for (const key of found.keys()) if (!wanted.has(key)) faults.push(`${language}: "${key}" is not in en_US`);
  for (const [key, text] of Object.entries(texts))
    if (text.trim() === '') faults.push(`${language}: "${key}" is empty`);
}

const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((f) => /\.tsx?$/.test(f) && !/\.(spec|e2e|gen|text)\.tsx?$/.test(f))
  .map((f) => ({ file: f, text: readFileSync(source + f, 'utf8') }));
const whole = code.map((c) => c.text).join('\n');
// Keys put together from a prefix and a value, as t(`state.${s}`).
const prefixes = [...new Set([...whole.matchAll(/`([a-zA-Z]+(?:\.[a-zA-Z]+)*\.)\$\{/g)].map((m) => m[1]!))];
const between = [...whole.matchAll(/`([a-zA-Z]+\.)\$\{[^}]+\}(\.?[A-Za-z]+)`/g)].map((m) => ({
  start: m[1]!,
  end: m[2]!,
}));
// Texts of one thing under one word, as `texts="role"` says it and t(`${texts}.none`) puts them together.
const heads = [
  ...whole.matchAll(/\b(?:texts|noun)=(?:"([a-zA-Z]+)"|\{\w+ \? '([a-zA-Z]+)' : '([a-zA-Z]+)'\})/g),
].flatMap((m) => m.slice(1).filter((head) => head !== undefined));
const tails = [...whole.matchAll(/`\$\{[\w.]+\}\.([A-Za-z]+)`/g)].map((m) => m[1]!);
const joined = new Set(heads.flatMap((head) => tails.map((tail) => `${head}.${tail}`)));
for (const key of wanted.keys()) {
  const used =
    joined.has(key) ||
    whole.includes(`'${key}'`) ||
    whole.includes(`"${key}"`) ||
    prefixes.some((p) => key.startsWith(p)) ||
    between.some((b) => key.startsWith(b.start) && key.endsWith(b.end));
  if (!used) faults.push(`"${key}" is not used`);
}
for (const { file, text } of code) {
  for (const m of text.matchAll(/\bt\(\s*'([^']+)'/g))
    if (!wanted.has(m[1]!)) faults.push(`${file}: "${m[1]}" does not exist`);
  // Words between tags or in an attribute that a person reads or hears.
  const bare = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  if (file.endsWith('.tsx')) {
    for (const m of bare.matchAll(/<[A-Za-z][^<>]*>\s*([^<>{}()=;:?&|]*[A-Za-z\u4e00-\u9fff]{2,}[^<>{}()=;]*)\s*<\//g))
      faults.push(`${file}: words in the code: "${m[1]!.trim()}"`);
    for (const m of bare.matchAll(/\b(?:title|label|placeholder|aria-label|alt)="([^"]*[A-Za-z]{2,}[^"]*)"/g))
      // The name of a text, of which the compiler knows whether it is there.
      if (!wanted.has(m[1]!)) faults.push(`${file}: words in the code: "${m[1]}"`);
  }
}

// A route with a text of the part `page` in the modules that it imports loads this part before it is drawn: in its
// loader, or in a module that awaits it. Otherwise the text is missing until another page has loaded it.
const texts = new Map(code.map((c) => [c.file, c.text]));
const importsOf = (file: string): string[] =>
  [...texts.get(file)!.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gm)]
    .map((m) => posix.join(posix.dirname(file), m[1]!))
    .filter((path) => texts.has(path));
const ofPages = new Set(bases(textsOfPart('en_US', 'page')).keys());
for (const route of [...texts.keys()].filter((file) => file.startsWith('frame/routes/'))) {
  if (/\b(?:pageTexts|linkTexts)\b/.test(texts.get(route)!)) continue;
  const reached = new Set([route]);
  for (const file of reached) for (const path of importsOf(file)) reached.add(path);
  if ([...reached].some((file) => /^await [^\n]*(?:pageTexts|linkTexts)\(/m.test(texts.get(file)!))) continue;
  for (const file of reached)
    for (const [, key] of texts.get(file)!.matchAll(/'(\w+(?:\.\w+)+)'/g))
      if (ofPages.has(key!)) faults.push(`${route}: does not load pageTexts, which has "${key}" of ${file}`);
}

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
console.log(`${wanted.size} texts in ${Object.keys(files).length} languages`);
