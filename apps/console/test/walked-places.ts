import { actions } from '@carillon/actions';
import type { DeviceRecord, TaskRecord } from '@carillon/contracts';
import { add, at, drawer, english, more, row, rows, selected, type Entry, type Place } from './elements.ts';
import { assignments, both } from './noun-elements.ts';

// Door actions are offered at devices with doors.
export const atDoors = Object.values(actions).filter((action) => action.needs === 'doors');
export const everywhere = Object.values(actions).filter((action) => action.needs === undefined);
const actionsOf = (places: typeof everywhere, entry: Entry) =>
  places.map((action) => entry(['addTask', action.right], action.texts.name.en_US));
const deviceEntries = (entry: Entry) => [
  ...actionsOf(everywhere, entry),
  ...assignments.map((name) => entry('editDevice', english[name]!)),
  entry('editDevice', 'Edit'),
  entry('assignSipAccount', 'Edit lines'),
  entry('renewDeviceSecret', 'Open first access'),
  entry('allocateChannelOrder', 'Assign to channel'),
  entry('deleteDevice', 'Delete'),
];
const ofOneDevice = (entry: Entry) => [entry('disableDevice', 'Disable'), entry('replaceDevice', 'Replace device')];

/** The places of a device that is offline, and of one with doors. */
export const devicePlaces = (away: DeviceRecord, gate: DeviceRecord): Place[] => [
  {
    path: `/device/list?search=${away.mac}`,
    whole: `${rows}:has-text("${away.name}")`,
    elements: [
      add('addDevice', 'Add device'),
      add('exportDevice', 'Export'),
      add('importDevice', 'Import'),
      at('editDevice', (p) => p.getByRole('button', { name: 'Retry failed', exact: true })),
      at('deleteDevice', (p) => p.getByRole('button', { name: 'Undo', exact: true })),
      ...[row, selected].flatMap(deviceEntries),
      selected('exportDevice', 'Export'),
      ...ofOneDevice(row),
    ],
  },
  {
    path: `/device/list?id=${away.id}`,
    whole: '[role=dialog] dl',
    elements: [
      drawer('editDevice', 'Edit'),
      drawer('editDevice', 'Assign to Lobby of the walker'),
      ...actionsOf(everywhere, drawer),
    ],
    free: ['Open page'],
  },
  {
    path: `/device/deviceDetail?id=${away.id}`,
    whole: 'main dl:visible',
    elements: [
      add('renewDeviceSecret', 'Renew secret'),
      add('editDevice', 'Assign to Lobby of the walker'),
      add('renewDeviceSecret', 'Show address'),
      add(['addTask', 'configureDevice'], 'Send to this device'),
      ...actionsOf(everywhere, add),
      more('editDevice', 'Edit device'),
      more('editDevice', 'Rename'),
      ...assignments.map((name) => more('editDevice', english[name]!)),
      more('disableDevice', 'Disable'),
      more('renewDeviceSecret', 'Open first access'),
      more('replaceDevice', 'Replace device'),
      more('deleteDevice', 'Delete'),
    ],
  },
  {
    path: `/device/list?search=${gate.mac}`,
    whole: `${rows}:has-text("${gate.name}")`,
    elements: [...actionsOf(atDoors, row), ...deviceEntries(row), ...ofOneDevice(row)],
  },
  {
    path: `/device/deviceDetail?id=${gate.id}`,
    whole: 'main [role=group] table:visible',
    elements: atDoors.map((action) =>
      at(['addTask', action.right], (p) => p.locator('main').getByRole('button', { name: 'Open door 1', exact: true })),
    ),
  },
];

type State = 'waiting' | 'timed' | 'asked' | 'ended';
/** The places of tasks: one that waits for its device, for its time or for an approval, and one that has ended. */
export const taskPlaces = ({ waiting, timed, asked, ended }: Record<State, TaskRecord>): Place[] => [
  {
    path: `/task/list?task=${waiting.id}`,
    whole: '[role=dialog] [role=progressbar]',
    elements: [
      at('stopTask', (p) => p.getByRole('dialog').getByRole('button', { name: 'Stop task' })),
      at('cancelTask', (p) => p.getByRole('dialog').getByRole('button', { name: 'Cancel task' })),
      at('addTask', (p) => p.getByRole('dialog').getByRole('link', { name: 'Copy' })),
      at(['addTask', 'rebootDevice'], (p) => p.getByRole('dialog').getByRole('button', { name: 'Save as template' })),
    ],
  },
  {
    path: `/task/list?task=${timed.id}`,
    whole: '[role=dialog] dl',
    elements: [at(['runTask', 'rebootDevice'], (p) => p.getByRole('dialog').getByRole('button', { name: 'Run now' }))],
  },
  {
    path: `/task/list?task=${asked.id}`,
    whole: '[role=dialog] section:visible',
    elements: [
      ...['Approve', 'Refuse'].map((name) =>
        at(['approveTask', 'rebootDevice'], (p) => p.getByRole('dialog').getByRole('button', { name })),
      ),
    ],
  },
  {
    path: `/task/list?task=${ended.id}`,
    whole: '[role=dialog] [role=progressbar]',
    elements: [
      at(['rerunTask', 'rebootDevice'], (p) => p.getByRole('dialog').getByRole('button', { name: 'Run again' })),
    ],
  },
  {
    path: '/task/addTask',
    whole: 'main :is(h1, h2):visible',
    elements: [
      at(['addTask', 'overrideFreeze'], (p) => p.locator('main').getByText('Despite freeze periods', { exact: true })),
    ],
  },
];

/** The places of users in each state, of roles and of the menu. */
export const peoplePlaces: Place[] = [
  {
    path: '/system/users?search=walker.new',
    whole: `${rows}:has-text("walker.new")`,
    elements: [
      add('addUser', 'Add user'),
      row('editUser', 'Edit'),
      drawer('editUser', 'Open page'),
      row('resendActivation', 'Resend activation'),
      drawer('resendActivation', 'Resend activation'),
      ...[row, selected, drawer].map((entry) => entry('disableUser', 'Disable')),
      ...[row, selected, drawer].map((entry) => entry('deleteUser', 'Delete')),
    ],
  },
  ...[
    { user: 'walker.locked', key: 'unlockUser', name: 'Unlock' },
    { user: 'walker.off', key: 'enableUser', name: 'Enable' },
  ].map(({ user, key, name }) => ({
    path: `/system/users?search=${user}`,
    whole: `${rows}:has-text("${user}")`,
    elements: [
      ...[row, selected, drawer].flatMap((entry) => [
        entry(key, name),
        entry('deleteUser', 'Delete'),
        ...(key === 'unlockUser' ? [entry('disableUser', 'Disable')] : []),
      ]),
      row('editUser', 'Edit'),
      drawer('editUser', 'Open page'),
    ],
  })),
  {
    path: '/info',
    whole: '[data-session]:visible',
    elements: [at('editEnterprise', (p) => p.locator('#info-enterprise'))],
  },
  {
    path: '/system/roles',
    elements: [
      add('addRole', 'Add role'),
      row('editRole', 'Edit'),
      drawer('editRole', 'Open page'),
      ...both('addRole', 'Copy'),
      ...both('deleteRole', 'Delete'),
    ],
  },
  {
    path: '/menu',
    elements: [
      add('addMenu', 'Add menu entry'),
      at('editMenu', (p) => p.locator('main').getByRole('button', { name: 'Edit Of the walker' })),
      at('deleteMenu', (p) => p.locator('main').getByRole('button', { name: 'Delete menu entry Of the walker' })),
    ],
  },
];

/** The places of companies; `channelId` is a sub-channel. */
export const companyPlaces = (channelId: string): Place[] => [
  {
    path: '/system/company?search=Company%20of%20the%20walker',
    elements: [
      add('addCompany', 'Add company'),
      ...[row, drawer].flatMap((entry) => [
        entry('editCompany', 'Edit'),
        entry('disableCompany', 'Disable'),
        entry('disableCompany', 'Lock'),
      ]),
      add('settleMac', 'Disputed MACs'),
      add('importDelivery', 'Delivered devices'),
    ],
  },
  {
    path: '/channel/boundChannelList?search=Company%20of%20the%20walker',
    elements: [
      add('addChannel', 'Add sub-channel'),
      add('offerChannel', 'Get a code'),
      add('bindChannel', 'Bind company'),
      ...[row, drawer].flatMap((entry) => [
        entry('editChannel', 'Edit'),
        entry('disableChannel', 'Disable'),
        entry('disableChannel', 'Lock'),
        entry('unbindChannel', 'Unbind'),
      ]),
    ],
  },
  {
    path: `/channel/boundChannelList?search=Company%20of%20the%20walker&channel=${channelId}`,
    whole: '[role=dialog]:visible',
    elements: [at('enterChannel', (p) => p.getByRole('dialog').getByText('Support access', { exact: true }))],
  },
  {
    path: '/system/supportAccess',
    elements: [add('addSupportAccess', 'Allow access'), ...both('endSupportAccess', 'End access')],
  },
];

/** The places of alarms and settings. */
export const systemPlaces: Place[] = [
  {
    path: '/alarm?state=told',
    elements: [
      row('deleteMessage', 'Delete'),
      selected('deleteMessage', 'Delete'),
      add('editAlarm', 'Acknowledge all'),
      add('editAlarmRule', 'Alarm rules'),
    ],
    free: ['Mark as read'],
  },
  {
    path: '/system/config',
    whole: 'main form:visible',
    elements: [at('editConfig', (p) => p.locator('main').getByRole('button', { name: 'Save', exact: true }))],
  },
  { path: '/system/time', elements: [row('editTime', 'Edit')] },
  {
    path: '/resources/firmwares/uploadFirmWare',
    whole: 'main :is(h1, h2):visible',
    elements: [at(['addFirmware', 'officialFirmware'], (p) => p.locator('main').getByLabel('Official firmware'))],
  },
  {
    path: '/system/mailServer',
    whole: 'main form:visible',
    elements: [at('editMailServer', (p) => p.locator('main').getByRole('button', { name: 'Save', exact: true }))],
  },
  {
    path: '/system/redirectService',
    whole: '#redirect-lead:visible',
    elements: [at('editRedirectService', (p) => p.locator('main').getByRole('button', { name: 'Add account' }))],
  },
  {
    path: '/system/twoStep',
    whole: '#two-step-state:visible',
    elements: [at('editTwoStep', (p) => p.locator('main').locator('[role=note], section button'))],
  },
  {
    path: '/system/companyKey',
    whole: '#key-accounts:visible',
    elements: [
      at('renewCompanyKey', (p) =>
        p.locator('main').getByRole('button', { name: 'Change key: Account passwords', exact: true }),
      ),
    ],
  },
  {
    path: '/system/approval',
    whole: 'main form:visible',
    elements: [at('editApproval', (p) => p.locator('main').getByRole('button', { name: 'Save', exact: true }))],
  },
  {
    path: '/system/apiDeveloper',
    elements: [add('editApi', 'Disable API'), add('addApiToken', 'Create token'), ...both('revokeApiToken', 'Revoke')],
  },
];
