import { rightOf, type NounDefinition } from '@carillon/contracts';
import { add, drawer, english, row, selected, type Element, type Place } from './elements.ts';

/** Entries that change where a device belongs. */
export const assignments = ['device.assignOrganization', 'device.assignSite', 'device.editTags', 'device.addToGroup'];

/** An entry in the menu of a row and a button of its drawer. */
export const both = (key: string | readonly string[], name: string) => [row(key, name), drawer(key, name)];
/** Verbs without an entry in the menu of a row. */
const drawerOnly: readonly string[] = ['reveal'];
/** Further elements of nouns. */
const furtherOf: Readonly<Record<string, Element[]>> = {
  sipAccount: [selected('deleteSipAccount', 'Delete')],
  channelOrder: [
    selected('allocateChannelOrder', 'Assign to channel'),
    selected('toDeviceChannelOrder', 'Make devices'),
  ],
  webhook: ['Send a test', 'Renew secret'].flatMap((name) => both('editWebhook', name)),
  firmware: [
    ...both(['addTask', 'pushFirmware'], 'Upgrade devices'),
    ...['Create package', 'Upload package'].map((name) => drawer('editFirmware', name)),
  ],
  resourceFile: both(['addTask', 'sendDeviceResource'], 'Send to devices'),
  configFile: both(['addTask', 'configureDevice'], 'Send to devices'),
  configTemplate: both(['addTask', 'configureDevice'], 'Send to devices'),
};

/**
 * The list of a noun has a button to add, perhaps one to import, and the other actions in the menu of a row and in its
 * drawer.
 */
export const placeOf = (noun: NounDefinition): Place => {
  // Its drawer shows the history of a device.
  const drawn = noun.name === 'channelOrder' ? [] : noun.rights;
  const nameOf = (verb: string) => english[`common.${verb}`] ?? english[`${noun.name}.${verb}`]!;
  return {
    // The menu cuts this end of a path (SHELL-02).
    path: noun.menu.path.replace(/\/index$/, ''),
    parts: ['row menu', 'selection', 'drawer'],
    free: ['Download', 'Delivery log', 'All deliveries'],
    elements: [
      ...(furtherOf[noun.name] ?? []),
      ...noun.rights.flatMap((verb) => {
        const key = rightOf(noun, verb);
        if (verb === 'import') return add(key, english['grid.import']!);
        if (verb === 'add') return add(key, english[`${noun.name}.add`]!);
        const page = verb === 'edit' ? [english['record.openPage']!] : [];
        const inRow = drawerOnly.includes(verb) ? [] : [row(key, nameOf(verb))];
        return [...inRow, ...(drawn.includes(verb) ? [drawer(key, nameOf(verb), ...page)] : [])];
      }),
    ],
  };
};
