import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, 'src');
/** The tag of a dialog or drawer, of Mantine or of the kit. */
const tag = /<(Modal|Drawer|Drawer\.Root|AskDialog|SideDrawer)(?=\s)/g;
/** The kit's own parts: the file that uses them names the dialog. */
const isPart = (name: string) => /^kit\/part\/(ask-dialog|side-drawer)$/.test(name);

/** Returns the name of a source file of the console: its path without the extension. */
export function dialogFile(path: string): string | undefined {
  const [file = ''] = path.split('?');
  return file.startsWith(`${source}/`) && file.endsWith('.tsx') ? file.slice(source.length + 1, -4) : undefined;
}

/** Adds the file's name to each of its dialogs and drawers. */
export const nameDialogs = (code: string, file: string): string =>
  isPart(file) ? code : code.replace(tag, (start) => `${start} data-dialog="${file}"`);

/** Returns the names of all files with a dialog or drawer. */
export const dialogFiles = (): string[] =>
  globSync('**/*.tsx', { cwd: source })
    .filter((path) => readFileSync(join(source, path), 'utf8').search(tag) >= 0)
    .map((path) => path.slice(0, -4))
    .filter((file) => !isPart(file))
    .toSorted();
