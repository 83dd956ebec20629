import { devicePlace, placeServer } from '@carillon/testing/device-place';
import {
  addDeviceImport,
  commitDeviceImport,
  getDeviceImport,
  undoDeviceImport,
  type ImportStatus,
} from '@carillon/contracts';
import { importRowMaximum } from '@carillon/contracts/constants';
import { bench, percentile, report, runs, spread } from '@carillon/devtools/bench';
import { inPieces, sheetFile } from '@carillon/testing/sheet';
import { up } from './lib/instance.ts';
import { person } from './lib/person.ts';

/**
 * Uploads and checks a spreadsheet with the maximum number of devices, then imports it, including everything that
 * follows a new device. Compares the duration of API calls in the meantime with an idle product.
 */
await bench('import', async () => {
  const instance = await up({ devices: 0 });
  try {
    const follow = async (id: string, status: ImportStatus): Promise<void> => {
      while ((await instance.call(getDeviceImport, { params: { id } })).status !== status)
        await new Promise((done) => {
          setTimeout(done, 200);
        });
    };
    const asking = (most: number) => person({ url: instance.url, headers: instance.headers, most });
    const idle = await asking(400).all;
    const [checked, whole, busy]: number[][] = [[], [], []];
    await devicePlace(instance.call);
    for (let run = 0; run < runs(); run++) {
      const rows = Array.from({ length: importRowMaximum }, (_, n) => [
        `02ca${n.toString(16).padStart(8, '0')}`,
        `Phone ${n}`,
        'X7A',
        `SN-${n}`,
        placeServer,
      ]);
      const file = inPieces(sheetFile([['mac', 'name', 'model', 'sn', 'sipServer'], ...rows]));
      const meanwhile = asking(Infinity);
      const began = performance.now();
      const { import: made } = await instance.call(addDeviceImport, { body: { name: 'all.xlsx', file } });
      const { id } = made!;
      await follow(id, 'checked');
      checked!.push((performance.now() - began) / 1000);
      await instance.call(commitDeviceImport, { params: { id } });
      await follow(id, 'done');
      whole!.push((performance.now() - began) / 1000);
      busy!.push(percentile(await meanwhile.stop(), 0.95));
      await instance.call(undoDeviceImport, { params: { id } });
      await follow(id, 'undone');
    }
    report({ name: '50,000 rows read and checked', unit: 's', value: spread(checked!).median }, spread(checked!));
    report(
      { name: '50,000 rows checked and imported', unit: 's', value: spread(whole!).median, atMost: 60 },
      spread(whole!),
    );
    report(
      {
        name: 'p95 of the API meanwhile',
        unit: 'ms',
        value: spread(busy!).median,
        beside: { name: 'when nothing goes on', value: percentile(idle, 0.95) },
      },
      spread(busy!),
    );
  } finally {
    instance.down();
  }
});
