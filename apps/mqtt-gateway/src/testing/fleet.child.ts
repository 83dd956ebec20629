/** A fleet in a process of its own: fleet.child.ts port first count. Reports `{ ready }`, and its state on request. */
import { Fleet } from './fleet.ts';

const [port, first, count] = process.argv.slice(2).map(Number) as [number, number, number];
const fleet = new Fleet({ port, welcomes: true }, count, first);
process.on('disconnect', () => process.exit(0));
process.on('message', () => void process.send!({ standing: fleet.standing, heard: fleet.heard }));
await fleet.connect();
process.send!({ ready: true });
