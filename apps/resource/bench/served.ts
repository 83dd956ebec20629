import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setLogDestination } from '@carillon/observability';
import { downloads, image } from '../src/download/download-test.ts';
import { testStore } from '../src/upload/upload-test.ts';

/** The service of `bench download` with its database and bus: `node served.ts MB CLIENTS SOCKET`. */
const [megabytes, clients, socket] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4]!];
setLogDestination(undefined, 'error');
const store = await testStore('bench_download');
const rig = downloads(store);
const { actor, to } = await rig.own();
const id = await rig.file(actor, image(megabytes * 1_048_576));
const links = Array.from({ length: clients }, () => rig.link(rig.grant(id, to)));
await store.service.app.getHttpAdapter().getInstance().listen({ path: socket, backlog: 2_048 });
const file = readdirSync(store.folder)
  .flatMap((part) => readdirSync(join(store.folder, part)).map((name) => join(store.folder, part, name)))
  .find((path) => path.endsWith(id))!;
process.send?.({ links, file });
process.once('SIGTERM', () => void store.close().finally(() => process.exit()));
