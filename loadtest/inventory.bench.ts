import { parseArgs } from 'node:util';
import { bench } from '@carillon/devtools/bench';
import { alarmPart } from './lib/inventory-alarm.ts';
import { allocationPart } from './lib/inventory-allocation.ts';
import { editPart } from './lib/inventory-edit.ts';
import { exportPart } from './lib/inventory-export.ts';
import { groupPart } from './lib/inventory-group.ts';
import { ldapPart } from './lib/inventory-ldap.ts';

/** Operations on a large inventory, each on an installation of its own. */
const parts = {
  allocation: allocationPart,
  edit: editPart,
  group: groupPart,
  ldap: ldapPart,
  export: exportPart,
  alarm: alarmPart,
};
type Part = keyof typeof parts;
const all = Object.keys(parts) as Part[];

/** `--only allocation,edit` runs some parts; `--small` uses a twentieth of everything, for a quick look at a change. */
const { values } = parseArgs({
  strict: false,
  options: { only: { type: 'string', default: all.join(',') }, small: { type: 'boolean', default: false } },
});
const asked = String(values.only).split(',') as Part[];
const unknown = asked.filter((part) => !all.includes(part));
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: there are only ${all.join(', ')}`);

await bench('inventory', async () => {
  if (values.small) process.stdout.write('     a twentieth of what the limits are for\n');
  for (const part of asked) {
    process.stdout.write(`  -- ${part}\n`);
    await parts[part]();
  }
});
