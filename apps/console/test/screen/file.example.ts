import type { Page } from 'playwright-core';
import { device, instead } from './screen.ts';

/** Firmware with two differential packages, for an installation that may have none. */
export const firmware = {
  id: '019a0000-0000-7000-8000-00000000f001',
  path: 'mine',
  name: 'Desk phones',
  version: '2.12.18',
  least: '2.4',
  models: ['X7A', 'X6U'],
  description: 'Mends the clock after a power cut.',
  fileName: 'x7a-x6u_2.12.18.img',
  size: 96_468_992,
  sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  deltas: ['2.12.17', '2.12.16'].map((from) => ({
    from,
    format: 'maker' as const,
    fileName: `x7a-x6u_${from}-to-2.12.18.zip`,
    size: 8_388_608,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  })),
  deltaOrders: [
    { from: '2.12.15', state: 'making' as const, progress: 40, msg: null },
    {
      from: '2.11.3',
      state: 'failed' as const,
      progress: 0,
      msg: null,
    },
  ],
  url: '/api/f/resource/firmware/019a0000-0000-7000-8000-00000000f001/file',
  notice: { whom: 'company', at: null, sentAt: null },
  updatedAt: '2026-11-22T09:41:00.000Z',
};
/** A resource file with several files, for an installation that may have none. */
export const resourceFile = {
  id: '019a0000-0000-7000-8000-00000000f003',
  name: 'Bells of the reception',
  type: 'ringtone',
  description: 'For the desks at the entrance.',
  fileNames: 'bell-long.wav;bell-short.wav',
  files: ['bell-long.wav', 'bell-short.wav'].map((name, n) => ({
    name,
    size: 262_144,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    url: `/api/f/resource/resourceFile/019a0000-0000-7000-8000-00000000f003/file/${n + 1}`,
  })),
  url: '/api/f/resource/resourceFile/019a0000-0000-7000-8000-00000000f003/file/1',
  size: 524_288,
  updatedAt: device.createdAt,
};
export const withResourceFile = async (p: Page) => {
  const words = { ...resourceFile, id: resourceFile.id.replace('f003', 'f004'), name: 'Words', type: 'languagePack' };
  const records = [resourceFile, { ...words, fileNames: 'words.xml' }];
  await instead(p, 'GET', '/api/f/resource/resourceFile/list', { records, total: 2, current: 1, size: 20 });
  for (const one of records) await instead(p, 'GET', `/api/f/resource/resourceFile/${one.id}`, one);
};
/** Configuration files, for an installation that may have none. */
export const configFile = {
  id: '019a0000-0000-7000-8000-00000000f005',
  name: 'Reception phones',
  description: 'Labels and time zone of the ground floor.',
  models: ['X7A', 'X6U'],
  fileName: 'reception.cfg',
  size: 12_288,
  version: 3,
  updatedAt: device.createdAt,
};
export const withConfigFile = async (p: Page) => {
  const other = { ...configFile, id: configFile.id.replace('f005', 'f006'), name: 'Doors', models: [], version: 1 };
  const records = [configFile, { ...other, fileName: 'doors.xml' }];
  await instead(p, 'GET', '/api/f/resource/configFile/list', { records, total: 2, current: 1, size: 20 });
  for (const one of records) await instead(p, 'GET', `/api/f/resource/configFile/${one.id}`, one);
};
