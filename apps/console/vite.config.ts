import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { defineConfig, type Plugin } from 'vite';
import react from '@vitejs/plugin-react';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import type { Language } from '@carillon/contracts';
import type * as Catalogue from './src/area/task/action/catalogue.ts';
import type { TextPart } from './src/kit/text/base.ts';
import type * as Texts from './src/texts.ts';
import { dialogFile, nameDialogs } from './dialogs.ts';
import { stylesheet } from './src/kit/theme/stylesheet.ts';

/** `virtual:theme.css`: the variables of the theme, computed once here and never in the browser. */
function themeStylesheet(): Plugin {
  const id = '\0theme.css';
  return {
    name: 'carillon-theme',
    resolveId: (source) => (source === 'virtual:theme.css' ? id : undefined),
    load: (asked) => (asked === id ? stylesheet() : undefined),
  };
}

/** What a module of ours exports, with what it imports from the workspace, and the files that this came from. */
async function evaluate<T>(path: string): Promise<{ exports: T; files: readonly string[] }> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(path, import.meta.url)),
    platform: 'node',
    resolve: { conditionNames: ['carillon-source'] },
  });
  const {
    output: [chunk],
  } = await bundle.generate({ format: 'esm' });
  const exports = (await import(`data:text/javascript;base64,${Buffer.from(chunk.code).toString('base64')}`)) as T;
  return { exports, files: chunk.moduleIds.filter((file) => file.startsWith('/')) };
}

/**
 * `virtual:actions`: key, right and icon of every action, for lists and menus. `virtual:actions/forms`: what the dialog
 * asks for.
 */
function actionCatalogue(): Plugin {
  const ids = { 'virtual:actions': '\0actions.js', 'virtual:actions/forms': '\0action-forms.js' } as const;
  return {
    name: 'carillon-actions',
    resolveId: (source) => ids[source as keyof typeof ids],
    async load(asked) {
      if (!Object.values<string>(ids).includes(asked)) return undefined;
      const { exports, files } = await evaluate<typeof Catalogue>('./src/area/task/action/catalogue.ts');
      for (const file of files) this.addWatchFile(file);
      if (asked === ids['virtual:actions/forms'])
        return [
          `export const forms = ${JSON.stringify(Object.fromEntries(exports.catalogue.map((a) => [a.key, a.fields])))};`,
          `export const pacing = ${JSON.stringify(Object.fromEntries(exports.catalogue.map((a) => [a.key, a.pacing])))};`,
          `export const lateMinutes = ${JSON.stringify(Object.fromEntries(exports.catalogue.map((a) => [a.key, a.lateMinutes])))};`,
          `export const destructive = ${JSON.stringify(exports.catalogue.filter((a) => a.isDestructive).map((a) => a.key))};`,
        ].join('\n');
      const cards = exports.catalogue.map(
        ({ key, right, icon, needs }) =>
          `{ key: ${JSON.stringify(key)}, right: ${JSON.stringify(right)}, needs: ${JSON.stringify(needs)}, icon: ${icon} }`,
      );
      const icons = [...new Set(exports.catalogue.map(({ icon }) => icon))].join(', ');
      return `import { ${icons} } from '@tabler/icons-react'; export const catalogue = [${cards.join(', ')}];`;
    },
  };
}

/** `virtual:text/<language>/<part>`: the texts of a part, see `kit/text/base.ts`. */
function texts(): Plugin {
  let evaluated: ReturnType<typeof evaluate<typeof Texts>> | undefined;
  return {
    name: 'carillon-texts',
    resolveId: (source) => (source.startsWith('virtual:text/') ? `\0${source}` : undefined),
    watchChange() {
      evaluated = undefined;
    },
    async load(asked) {
      const [, language, part] = /^\0virtual:text\/(\w+)\/(\w+)$/.exec(asked) ?? [];
      if (language === undefined) return undefined;
      const { exports, files } = await (evaluated ??= evaluate<typeof Texts>('./src/texts.ts'));
      for (const file of files) this.addWatchFile(file);
      return `export default ${JSON.stringify(exports.textsOfPart(language as Language, part as TextPart))};`;
    },
  };
}

/**
 * Parts of libraries that every page would load and no page uses. They render nothing until they are taken off this
 * list. With `names`, only those exports of the source are left out.
 */
const unused: readonly (readonly [importer: string, source: RegExp, names?: readonly string[]])[] = [
  [
    '/components/Menu/Menu.mjs',
    /^\.\/(Menu(?:CheckboxGroup|CheckboxItem|ContextMenu|RadioGroup|RadioItem|Search|Sub))\//,
  ],
  ['/components/Checkbox/Checkbox.mjs', /^\.\/(Checkbox(?:Card|Indicator))\//],
  ['/MantineProvider/MantineProvider.mjs', /^\.\/Mantine(?:Classes|CssVariables)\/(Mantine(?:Classes|CssVariables))\./],
  ['/components/Input/Input.mjs', /^\.\/(InputSuccess)\//],
  ['/components/Input/InputWrapper/InputWrapper.mjs', /^\.\.\/(InputSuccess)\//],
  ['/components/Button/Button.mjs', /^\.\/(ButtonGroup|ButtonGroupSection)\//],
  ['/components/ActionIcon/ActionIcon.mjs', /^\.\/(ActionIconGroup|ActionIconGroupSection)\//],
  ['/components/Popover/Popover.mjs', /^\.\/(PopoverContextMenu)\//],
  ['/components/Popover/use-popover.mjs', /^@floating-ui\/react$/, ['arrow', 'inline']],
  ['/Popover/PopoverDropdown/PopoverDropdown.mjs', /\/(FloatingArrow)\.mjs$/],
  ['/query-core/build/modern/query.js', /^\.\/(infiniteQueryBehavior)\.js$/],
];
function leaveOut(): Plugin {
  const prefix = '\0left-out/';
  return {
    name: 'carillon-leave-out',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      const [, pattern, names] = unused.find(([from]) => importer?.endsWith(from)) ?? [];
      const found = pattern?.exec(source);
      if (!found) return undefined;
      return names ? `${prefix}${names.join()} of ${source}` : prefix + found[1];
    },
    load(asked) {
      if (!asked.startsWith(prefix)) return undefined;
      const [names, source] = asked.slice(prefix.length).split(' of ');
      const nothing = names!.split(',').map((name) => `export const ${name} = () => null;`);
      return [...nothing, ...(source === undefined ? [] : [`export * from '${source}';`])].join('\n');
    },
  };
}

/** Names the file of each dialog and drawer in the page, so that tests know which of them they have seen (SHELL-20). */
function dialogNames(): Plugin {
  return {
    name: 'carillon-dialog-names',
    enforce: 'pre',
    transform(code, id) {
      const file = dialogFile(id);
      return file === undefined ? undefined : { code: nameDialogs(code, file), map: null };
    },
  };
}

/** Writes a `.br` beside every text file, for the gateway to send as it is. */
function brotli(): Plugin {
  return {
    name: 'carillon-brotli',
    apply: 'build',
    // From the disk: in the bundle, Vite's own markers are not replaced yet.
    writeBundle({ dir }) {
      for (const entry of readdirSync(dir!, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|svg|html|json)$/.test(entry.name)) continue;
        const file = join(entry.parentPath, entry.name);
        const bytes = readFileSync(file);
        // Which size of its blocks is the best differs from file to file, by some tens of bytes.
        const [smallest] = [16, 18, 20]
          .map((block) =>
            brotliCompressSync(bytes, {
              params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGBLOCK]: block },
            }),
          )
          .toSorted((a, b) => a.length - b.length);
        writeFileSync(`${file}.br`, smallest!);
      }
    },
  };
}

/** What the login page loads; the code of pages that its routes load later is not part of it. */
const base = (id: string) =>
  /node_modules\/(react-dom|scheduler)\//.test(id) ||
  (!id.includes('tsr-split') &&
    !/login\/(captcha-field|second-step)/.test(id) &&
    [
      /@mantine\/core\/esm\/core\/MantineProvider\/|@tanstack\/react-router\/dist\/esm\/(Matches|RouterProvider)/,
      /console\/src\/(area\/people\/login|frame\/(routes|router\.))/,
      /console\/src\/kit\/(theme\/look|text\/(text|use-text)\.|part\/(mark|field-error|password-eye|use-title))/,
      /console\/src\/kit\/session\/(ask|error-log|idle|language|lock|session|storage|origin|settings|md5)\./,
    ].some((part) => part.test(id)));
/** What every page behind the login loads. */
const frame = (id: string) =>
  [
    /@tanstack\/(react-query|query-core)(?!.*\/(useQueries|queriesObserver)\.)|@floating-ui|@tabler\/icons-react\/.*\/Icon(Ban|CircleCheck|StackPop|StackPush|TableImport|Tag)\./,
    /console\/src\/frame\/shell\/(shell|sidebar|tab|top|bell\.|work\.)/,
    /console\/src\/kit\/(live|import\/import-button|grid\/(?!export|column-list|action-bar|record-drawer|row-menu|view|filter-(?:bar|chip|panel)|no-rows|phone-list))/,
    /console\/src\/kit\/(part\/(state|told)|session\/(call|access|known|tabs)|text\/(time|clock|browser-clock))/,
    /console\/src\/area\/(task\/(action\/actions|task\/task\.calls)|people\/menu\/menu-icon)/,
    /console\/src\/area\/device\/(record\/(lines|device\.calls|device-columns)|(device-group\/device-group|tag\/tag)\.calls)/,
  ].some((part) => part.test(id));

/** Small parts of many pages: as files of their own, each would stand in the first page's list of what there is. */
const part = (id: string) =>
  /console\/src\/(area\/task\/task\/task-bar|kit\/part\/(facts|refusal|refusal-box|use-form|dialog\.module|drop\.module|security\.module|form-page\.module)|kit\/session\/(quietly|public-call|public-mail-ready))\./.test(
    id,
  );

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { conditions: ['carillon-source', 'module', 'browser', 'development|production'] },
  plugins: [
    leaveOut(),
    dialogNames(),
    tanstackRouter({
      target: 'react',
      routesDirectory: fileURLToPath(new URL('./src/frame/routes', import.meta.url)),
      generatedRouteTree: fileURLToPath(new URL('./src/frame/routeTree.gen.ts', import.meta.url)),
      autoCodeSplitting: true,
      quoteStyle: 'single',
      semicolons: true,
      disableLogging: true,
    }),
    react(),
    texts(),
    themeStylesheet(),
    actionCatalogue(),
    brotli(),
  ],
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // Every page has loaded the base already, and a page inside the frame has the frame's code: no list of what to
    // load beside a part needs to name them.
    reportCompressedSize: false,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, parts) =>
        parts.filter((part) =>
          /(^|\/)_main-/.test(file)
            ? !/(^|\/)(base|rolldown-runtime)-[^/]*$/.test(part)
            : !/(^|\/)(base|rolldown-runtime|frame)-[^/]*\.js$/.test(part),
        ),
    },
    license: true,
    // As one file each: otherwise the first page is fifty files of half a kilobyte.
    rolldownOptions: {
      output: {
        // The first page lists every part by its file: what only that list needs a name for has none.
        chunkFileNames: ({ name }) =>
          `assets/${/^(base|frame|part|_main|rolldown-runtime)$/.test(name) ? `${name}-` : ''}[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'base', test: base, priority: 1 },
            { name: 'frame', test: frame },
            { name: 'part', test: part },
          ],
        },
      },
    },
  },
});
