import { createReadStream, existsSync, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { dataFolder } from './data-folder.ts';
import { withPredecessors } from './log-files.ts';
import { Trouble } from './trouble.ts';

/** Prints the log lines of one service, or of all. In standalone a service is a name inside the one log. */
export async function logs(
  service: string | undefined,
  options: { data?: string; follow?: boolean; lines: number },
): Promise<void> {
  const folder = join(dataFolder(options.data), 'logs');
  if (!existsSync(folder)) throw new Trouble('There is no log yet.');
  const files = readdirSync(folder)
    .filter((f) => f.endsWith('.log') && f !== 'up.log')
    .map((f) => join(folder, f));
  const own = service === undefined ? undefined : files.find((f) => f.endsWith(`/${service}.log`));
  const read = own ? [own] : files;
  const fits = (line: string): boolean =>
    own !== undefined || service === undefined || line.includes(`"service":"${service}"`);
  // Read only as many older files as are needed.
  const all = read.flatMap((file) =>
    withPredecessors(file)
      .toReversed()
      .reduce<string[]>(
        (lines, f) =>
          lines.length >= options.lines
            ? lines
            : [
                ...readFileSync(f, 'utf8')
                  .split('\n')
                  .filter((l) => l !== '' && fits(l)),
                ...lines,
              ],
        [],
      ),
  );
  if (service !== undefined && !own && all.length === 0) throw new Trouble(`No log has lines of "${service}".`);
  if (service === undefined) all.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
  for (const line of all.slice(-options.lines)) process.stdout.write(`${line}\n`);
  if (!options.follow) return;
  for (const file of read) {
    let at = statSync(file).size;
    watch(file, () => {
      const end = statSync(file).size;
      if (end <= at) {
        at = Math.min(at, end);
        return;
      }
      const lines = createInterface({ input: createReadStream(file, { start: at, end: end - 1 }) });
      at = end;
      lines.on('line', (line) => {
        if (fits(line)) process.stdout.write(`${line}\n`);
      });
    });
  }
}

const timeOf = (line: string): string => /"time":"([^"]+)"/.exec(line)?.[1] ?? '';
