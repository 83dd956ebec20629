import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { resourceService } from '@carillon/resource/module';
import { readConfig } from '@carillon/service/config';
import { readSecrets, type Secrets } from './data-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-data-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a data folder from before firmware signing gets a signing key at the next start and keeps the rest', () => {
  const file = join(folder, 'secrets.json');
  const { signingKey: _, ...before } = readSecrets(folder, uuidv7);
  writeFileSync(file, JSON.stringify(before));
  const after = readSecrets(folder, uuidv7);
  expect(after).toEqual({ ...before, signingKey: expect.any(String) });
  // Reads the key like the service does.
  const { signingKey } = readConfig(resourceService.config, {
    filesFolder: folder,
    dataKey: after.dataKey,
    signingKey: after.signingKey,
  });
  expect(signingKey).toHaveLength(32);
  expect(readSecrets(folder, uuidv7)).toEqual(after);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(after);
});

it('a signing key that is no Ed25519 seed or can be guessed stops the start', () => {
  const secrets: Secrets = readSecrets(folder, uuidv7);
  const read = (values: object) =>
    readConfig(resourceService.config, { filesFolder: folder, dataKey: secrets.dataKey, ...values });
  for (const wrong of [`${secrets.signingKey}AAAA`, 'AAAA'.repeat(11), secrets.signingKey.slice(0, 20), undefined])
    expect(() => read({ signingKey: wrong }), wrong).toThrow('CARILLON_SIGNING_KEY');
  expect(() => read({ signingKey: secrets.signingKey, signingKeyBefore: 'AAAA' })).toThrow(
    'CARILLON_SIGNING_KEY_BEFORE',
  );
});
