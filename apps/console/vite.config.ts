import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import react from '@vitejs/plugin-react';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import { stylesheet } from './src/theme/stylesheet.ts';

/** `virtual:theme.css`: the variables of the theme, computed once here and never in the browser. */
function themeStylesheet(): Plugin {
  const id = '\0theme.css';
  return {
    name: 'carillon-theme',
    resolveId: (source) => (source === 'virtual:theme.css' ? id : undefined),
    load: (asked) => (asked === id ? stylesheet() : undefined),
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
        writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
      }
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { conditions: ['carillon-source', 'module', 'browser', 'development|production'] },
  plugins: [tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single', semicolons: true, disableLogging: true }), react(), themeStylesheet(), brotli()],
  build: { outDir: 'dist/site', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false, modulePreload: { polyfill: false }, license: true },
});
