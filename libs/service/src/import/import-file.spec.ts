import { expect, test } from 'vitest';
import { deviceImport } from '@carillon/contracts';
import { templateOf } from './import.file.ts';
import { unpacked, zipEntries } from './zip.ts';

/** Returns a part of an .xlsx file as text. */
const partOf = (file: Buffer, name: string): string =>
  unpacked(
    file,
    zipEntries(file)!.find((e) => e.name === name)!,
    1_000_000,
  )!.toString();

test('all columns of a template are text, below the example too', async () => {
  const file = await templateOf(deviceImport, 'en_US');
  const columns = [...partOf(file, 'xl/worksheets/sheet1.xml').matchAll(/<col [^>]*>/g)].map(([tag]) => tag);
  const styles = [...partOf(file, 'xl/styles.xml').matchAll(/<cellXfs[^>]*>([\s\S]*?)<\/cellXfs>/g)][0]![1]!;
  const formats = [...styles.matchAll(/<xf [^>]*numFmtId="(\d+)"/g)].map(([, id]) => id);
  const text = /numFmtId="(\d+)" formatCode="@"/.exec(partOf(file, 'xl/styles.xml'))![1];
  expect(columns).toHaveLength(Object.keys(deviceImport).length);
  for (const column of columns) expect(formats[Number(/ style="(\d+)"/.exec(column)?.[1])]).toBe(text);
});
